import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A domino engine in Java: keeps doubles for last, and else plays the heaviest tile it can. */
public final class Engine {
    private static final Pattern REQUEST = Pattern.compile("\"request\":(\\d+)");
    private static final Pattern GAME = Pattern.compile("\\{\"game\":(\\d+),.*?\"moves\":\\[(.*?)\\]");
    private static final Pattern MOVE =
        Pattern.compile("\\{\"id\":(\\d+),\"kind\":\"(\\w+)\"(?:,\"tile\":\"([^|\"]+)\\|([^\"]+)\")?");

    private Engine() {}

    public static void main(String[] arguments) throws IOException {
        var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            if (line.startsWith("{\"type\":\"hello\"")) {
                say("{\"type\":\"hello\",\"protocol\":1,\"name\":\"Late doubles in Java\",\"author\":\"domino-env\"}");
            } else if (line.startsWith("{\"type\":\"setup\"")) {
                say("{\"type\":\"ready\"}");
            } else if (line.startsWith("{\"type\":\"move\"")) {
                say(answer(line));
            } else if (line.startsWith("{\"type\":\"quit\"")) {
                return;
            }
        }
    }

    private static void say(String line) {
        System.out.print(line + "\n");
        System.out.flush();
    }

    /** The answer to a request: a move for each of its games. */
    private static String answer(String line) {
        Matcher request = REQUEST.matcher(line);
        request.find();
        var moves = new StringJoiner(",");
        for (Matcher game = GAME.matcher(line); game.find(); ) {
            moves.add("{\"game\":" + game.group(1) + ",\"id\":" + best(game.group(2)) + "}");
        }
        return "{\"type\":\"move\",\"request\":" + request.group(1) + ",\"moves\":[" + moves + "]}";
    }

    /** The id of the best of some moves; of moves that are as good, the first. */
    private static String best(String moves) {
        String best = "";
        int most = Integer.MIN_VALUE;
        for (Matcher move = MOVE.matcher(moves); move.find(); ) {
            int worth = worth(move.group(2), move.group(3), move.group(4));
            if (worth > most) {
                most = worth;
                best = move.group(1);
            }
        }
        return best;
    }

    private static int worth(String kind, String first, String second) {
        if (!kind.equals("play")) {
            return -100;
        }
        return pips(first) + pips(second) - (first.equals(second) ? 50 : 0);
    }

    /** The pips of a half, which may be a symbol with a number. */
    private static int pips(String half) {
        String digits = half.replaceAll("\\D", "");
        return digits.isEmpty() ? 0 : Integer.parseInt(digits);
    }
}
