"""Reference games of the world with a line, written from the rulings and the rulebook alone.

game = new_game("dominican", 4, episode="match", options=("bonus_30", "pass_on_lead_50"))
game.start_round(hands, boneyard)
while not game.round_over:
    gained = game.apply(some_move_of(game.legal()))

Moves are ("play", (low, high), end, half), ("call",), ("silent",), and with `team_leads` ("lead",)
and ("yield",). What is drawn by lot is given: `starter` of start_round, whenever `draws_lots` is
true; at any other time it is not looked at.

Who opens a round, and so when a lot is drawn:

| game | round 1 (a single round too) | after a round won | after a drawn one |
|---|---|---|---|
| all_fives_spinner | lot | the winner | lot |
| fives_and_threes | lot | the next seat | the next seat |
| partnership_block | 6-6 | the next seat | the next seat |
| venezuelan | 6-6 | the next seat | the next seat |
| dominican | 6-6 | the winner | (club) the same seat |
| puerto_rican | 6-6 | the winner | the same seat |
| cuban | lot | the winner | the same seat |
| jamaican_partner | 6-6 | the winner | 6-6 |
| cutthroat_block | 6-6 | the winner | 6-6 |
| kozel | 1-1 | the winner | 1-1 |

Options, besides `set` (all_fives_spinner), `hand_size`, `target` and `calls` (all_fives_spinner):

| game | option | what it changes | clause |
|---|---|---|---|
| all_fives_spinner | teams | Texas: four in teams, seven each, nobody draws | AS4 |
| | a_point_for_each_five | a point for each five, to 61 | AS4 |
| fives_and_threes | teams | four in teams, until both partners are out | FT |
| venezuelan | winner_leads | the winner leads | VE1 |
| dominican | bonus_30 | 30 for each bonus | DO4 |
| | pass_on_lead_50 | 50 for an opening pass on a tile that is no double | DO4 |
| | no_capicua_with_blank | none for a last tile with a blank | DO4 |
| | club | no bonuses, the other team's hands, PB2 | DO4 |
| puerto_rican | san_juan | to 200, without any bonus | PR5 |
| | block_bonus | 100 for winning a block that one's own team made | PR5 |
| cuban | highest_double_opens | it opens round 1, without a lot | CU2 |
| | team_totals | blocked as PB2 | CU2 |
| jamaican_partner | straight_six | nothing is wiped | JP5 |
| | no_key | no 2 for the key | JP5 |
| | keep_after_bruk | the winners keep what the round was worth | JP5 |
| | team_leads | the winner decides LEAD or YIELD | JP1 |
| cutthroat_block | pips | all others' hands, to 100, nothing is wiped | CT3 |
| kozel | first_score_25 | 25 for 13 | KZ4 |
| where a tile can fit both ends | only_different_ends | not with ends that are equal | W6 |
| where a double opens round 1 | free_lead | a lot opens it, with any tile | W2 |

A tile that fits both ends counts in dominican, puerto_rican, jamaican_partner, cutthroat_block.
The options that are only numbers have no name: 200 or 250 is `target`, the leagues' six or nine
tiles are `hand_size`. Two options that contradict each other are refused.
"""

from __future__ import annotations

from collections.abc import Iterable

from .all_fives_spinner import AllFivesSpinner
from .fives_and_threes import FivesAndThrees
from .latin import Cuban, Dominican, Kozel, PartnershipBlock, PuertoRican, Venezuelan
from .referee import WorldReferee
from .six_love import CutthroatBlock, JamaicanPartner

GAMES: dict[str, type[WorldReferee]] = {
    "all_fives_spinner": AllFivesSpinner,
    "fives_and_threes": FivesAndThrees,
    "partnership_block": PartnershipBlock,
    "venezuelan": Venezuelan,
    "dominican": Dominican,
    "puerto_rican": PuertoRican,
    "cuban": Cuban,
    "jamaican_partner": JamaicanPartner,
    "cutthroat_block": CutthroatBlock,
    "kozel": Kozel,
}

__all__ = ["GAMES", "WorldReferee", "new_game"]


def new_game(
    variant: str,
    players: int,
    *,
    set: str | None = None,
    hand_size: int | None = None,
    target: int | None = None,
    rounds: int | None = None,
    calls: str = "automatic",
    episode: str = "round",
    options: Iterable[str] = (),
) -> WorldReferee:
    """A referee for one episode of a game, before its first deal; without `set`, its usual set."""
    kind = GAMES[variant]
    return kind(
        players,
        set_name=set or kind.usual_set,
        hand_size=hand_size,
        target=target,
        rounds=rounds,
        calls=calls,
        episode=episode,
        options=options,
    )
