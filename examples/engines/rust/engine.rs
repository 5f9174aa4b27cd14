//! A domino engine in Rust: plays the tile that leaves the most other tiles of its hand playable on
//! what it would show, and the heavier of two such tiles. It reads the messages with a small JSON
//! parser of its own.

use std::io::{self, BufRead, Write};

enum Json {
    Null,
    Bool,
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    fn get(&self, name: &str) -> &Json {
        match self {
            Json::Object(fields) => {
                fields.iter().find(|(key, _)| key == name).map_or(&Json::Null, |(_, value)| value)
            }
            _ => &Json::Null,
        }
    }

    fn list(&self) -> &[Json] {
        if let Json::List(items) = self { items } else { &[] }
    }

    fn text(&self) -> &str {
        if let Json::Text(text) = self { text } else { "" }
    }

    fn whole(&self) -> i64 {
        if let Json::Number(number) = self { *number as i64 } else { -1 }
    }
}

struct Parser<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Parser<'_> {
    fn skip_spaces(&mut self) {
        while self.at < self.bytes.len() && self.bytes[self.at].is_ascii_whitespace() {
            self.at += 1;
        }
    }

    fn peek(&mut self) -> Option<u8> {
        self.skip_spaces();
        self.bytes.get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }

    fn value(&mut self) -> Option<Json> {
        match self.peek()? {
            b'{' => self.object(),
            b'[' => self.list(),
            b'"' => self.text().map(Json::Text),
            b't' => self.word("true", Json::Bool),
            b'f' => self.word("false", Json::Bool),
            b'n' => self.word("null", Json::Null),
            _ => self.number(),
        }
    }

    fn word(&mut self, word: &str, value: Json) -> Option<Json> {
        self.bytes[self.at..].starts_with(word.as_bytes()).then(|| {
            self.at += word.len();
            value
        })
    }

    fn number(&mut self) -> Option<Json> {
        let start = self.at;
        while self.at < self.bytes.len() && b"+-.eE0123456789".contains(&self.bytes[self.at]) {
            self.at += 1;
        }
        let text = std::str::from_utf8(&self.bytes[start..self.at]).ok()?;
        text.parse().ok().map(Json::Number)
    }

    fn text(&mut self) -> Option<String> {
        self.take(b'"')?;
        let mut found = Vec::new();
        loop {
            let byte = *self.bytes.get(self.at)?;
            self.at += 1;
            match byte {
                b'"' => return String::from_utf8(found).ok(),
                b'\\' => self.escaped(&mut found)?,
                _ => found.push(byte),
            }
        }
    }

    fn escaped(&mut self, found: &mut Vec<u8>) -> Option<()> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        if byte == b'u' {
            self.at += 4; // no text that we read has such letters
            found.push(b'?');
        } else {
            found.push(byte);
        }
        Some(())
    }

    fn list(&mut self) -> Option<Json> {
        self.take(b'[')?;
        let mut items = Vec::new();
        if self.take(b']').is_some() {
            return Some(Json::List(items));
        }
        loop {
            items.push(self.value()?);
            if self.take(b',').is_none() {
                self.take(b']')?;
                return Some(Json::List(items));
            }
        }
    }

    fn object(&mut self) -> Option<Json> {
        self.take(b'{')?;
        let mut fields = Vec::new();
        if self.take(b'}').is_some() {
            return Some(Json::Object(fields));
        }
        loop {
            self.skip_spaces();
            let name = self.text()?;
            self.take(b':')?;
            fields.push((name, self.value()?));
            if self.take(b',').is_none() {
                self.take(b'}')?;
                return Some(Json::Object(fields));
            }
        }
    }
}

/// The halves of a tile like `3|5`.
fn halves(tile: &str) -> (&str, &str) {
    tile.split_once('|').unwrap_or((tile, ""))
}

fn pips(half: &str) -> i64 {
    half.trim_start_matches(['>', '+']).parse().unwrap_or(0)
}

/// How good a play is: first by how many other tiles match what it shows, then by its pips.
fn worth(played: &Json, hand: &[Json]) -> (i64, i64) {
    if played.get("kind").text() != "play" {
        return (-1, -1);
    }
    let tile = played.get("tile").text();
    let (first, second) = halves(tile);
    let shows = if played.get("half").whole() == 0 { second } else { first };
    let matching = hand.iter().map(Json::text).filter(|&other| {
        let (one, two) = halves(other);
        other != tile && (one == shows || two == shows)
    });
    (matching.count() as i64, pips(first) + pips(second))
}

/// The id of the best move of a game; of moves that are as good, the first.
fn best(game: &Json) -> i64 {
    let hand = game.get("hand").list();
    let mut found = (-1, (-2, -2));
    for played in game.get("moves").list() {
        let worth = worth(played, hand);
        if worth > found.1 {
            found = (played.get("id").whole(), worth);
        }
    }
    found.0
}

fn answer(said: &Json) -> String {
    let moves: Vec<String> = said
        .get("games")
        .list()
        .iter()
        .map(|game| format!("{{\"game\":{},\"id\":{}}}", game.get("game").whole(), best(game)))
        .collect();
    let request = said.get("request").whole();
    format!("{{\"type\":\"move\",\"request\":{request},\"moves\":[{}]}}", moves.join(","))
}

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let Some(said) = (Parser { bytes: line.as_bytes(), at: 0 }).value() else { continue };
        match said.get("type").text() {
            "hello" => writeln!(
                out,
                r#"{{"type":"hello","protocol":1,"name":"Versatile in Rust","author":"domino-env"}}"#
            )?,
            "setup" => writeln!(out, r#"{{"type":"ready"}}"#)?,
            "move" => writeln!(out, "{}", answer(&said))?,
            "quit" => break,
            _ => {}
        }
        out.flush()?;
    }
    Ok(())
}
