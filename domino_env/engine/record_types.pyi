"""Made by `python -m tools.stubs` from the dtypes; not to be edited.

Whole numbers are `int`, as Numba widens them all alike. Sets of bits are `np.uint64`: with an `int`
they would make a float in compiled code, and here an error.
"""

from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

Record = TypeVar("Record")

class Records(Generic[Record]):
    """An array of records: an item is a view of one, and not a copy."""

    def __getitem__(self, place: int | np.integer[Any], /) -> Record: ...
    def __setitem__(self, place: int | np.integer[Any], record: Record, /) -> None: ...
    def __len__(self) -> int: ...

class Game:
    rng: np.uint64
    to_move: int
    turn: int
    stage: int
    may_stop: int
    may_pass: int
    flipped: int
    claim: int
    effect: int
    direction: int
    stakes: int
    last_tile: int
    laid_by: int
    passes: int
    fitted: int
    opener: int
    num_ends: int
    due: int
    spinner: int
    due_left: int
    markers: int
    had_turn: int
    round_over: int
    over: int
    free_lead: int
    winners: np.uint64
    offered: np.uint64
    wanted: npt.NDArray[np.uint64]  # [3]
    end_value: npt.NDArray[np.uint8]  # [38]
    end_kind: npt.NDArray[np.uint8]  # [38]
    end_tile: npt.NDArray[np.uint8]  # [38]
    spun: npt.NDArray[np.uint64]  # [3]
    hands: npt.NDArray[np.uint64]  # [8, 3]
    played: npt.NDArray[np.uint64]  # [9, 3]
    hand_size: npt.NDArray[np.int16]  # [8]
    num_out: int
    out_place: npt.NDArray[np.int8]  # [8]
    next: int
    deck_end: int
    lacks: npt.NDArray[np.uint64]  # [8]
    drawn_since: npt.NDArray[np.int16]  # [8]
    drew: npt.NDArray[np.int16]  # [8]
    passed: npt.NDArray[np.int8]  # [8]
    gained: npt.NDArray[np.int32]  # [8]
    scores: npt.NDArray[np.int32]  # [8]
    banked: npt.NDArray[np.int32]  # [8]
    round_number: int
    starter: int
    last_starter: int
    round_winner: int
    rounds_won: int
    log_size: int
    row_head: npt.NDArray[np.int16]  # [8]
    seen: npt.NDArray[np.uint64]  # [3]
    end_cell: npt.NDArray[np.uint16]  # [4]
    end_edge: npt.NDArray[np.uint8]  # [4]
    end_turns: npt.NDArray[np.uint8]  # [4]
    end_meets: npt.NDArray[np.uint8]  # [4, 2]
    cells: npt.NDArray[np.uint16]  # [64]
    corners: npt.NDArray[np.uint8]  # [64]
    deck: npt.NDArray[np.uint8]  # [136]

class RuleTable:
    tiles: int
    words: int
    values: int
    seats: int
    teams: int
    hand_size: int
    rows: int
    set_aside: int
    dealt: int
    starter: int
    opening: int
    reserve: int
    later: int
    after_draw: int
    yields: int
    arms: int
    doubles: int
    opening_first: int
    doubles_first: int
    hopeless: int
    curved: int
    ends_may_meet: int
    forced: int
    forced_crossing: int
    draw_ends_turn: int
    draw_may_pass: int
    voluntary: int
    voluntary_ends_turn: int
    again: int
    own_line: int
    stuck_ends: int
    outs: int
    team_out: int
    asks_first: int
    effects: int
    says_domino: int
    direction_chosen: int
    reversible: int
    raiser: int
    plays: int
    by_division: int
    called: int
    pips_a_point: int
    nearest: int
    penalties: int
    round_worth: int
    round_points: int
    key_points: int
    less_own: int
    out_bonus: int
    out_points: int
    shared_to_starter: int
    rates_last: int
    both_ends: int
    different_ends: int
    no_blanks: int
    blank_points: int
    pays_passes: int
    opening_pass: int
    opening_pass_no_double: int
    round_pass: int
    own_block: int
    later_bonuses: int
    least_first: int
    wiped: int
    keeps_last: int
    cut_off: int
    rounded_up: int
    bonus_to_most: int
    blocked_to: int
    target: int
    exact: int
    rounds: int
    match: int
    reward: int
    ends: int
    actions: int
    draw: int
    pass_turn: int
    end_turn: int
    at_hand: int
    at_played: int
    at_ends: int
    at_seats: int
    at_table: int
    at_rows: int
    at_stage: int
    at_course: int
    shows_places: int
    shows_direction: int
    shows_stakes: int
    shows_due: int
    shows_effects: int
    most_due: int
    shows_spinner: int
    shows_starter: int
    shows_layer: int
    shows_bonus: int
    shows_facts: int
    features: int
    end_features: int
    seat_features: int
    per_tile: float
    per_pip: float
    per_point: float
    per_round: float
    score_steps: float
    score_offset: float
    half: npt.NDArray[np.uint8]  # [2, 136]
    pips: npt.NDArray[np.int32]  # [136]
    multiples: npt.NDArray[np.int32]  # [4]
    worth: npt.NDArray[np.int32]  # [32]
    asks: npt.NDArray[np.uint8]  # [32]
    effect: npt.NDArray[np.uint8]  # [32]
    by_round: npt.NDArray[np.int32]  # [8]
    left_out: npt.NDArray[np.uint64]  # [3]
    places: npt.NDArray[np.int32]  # [8]
    answers: npt.NDArray[np.int16]  # [9, 2]
    double_tile: npt.NDArray[np.int16]  # [32]
    round_doubles: npt.NDArray[np.int16]  # [32]
    opener_rank: npt.NDArray[np.uint8]  # [136]
    double: npt.NDArray[np.uint64]  # [3]
    fits: npt.NDArray[np.uint64]  # [32, 2, 3]
    joins: npt.NDArray[np.uint64]  # [32, 3]

class Piece:
    tile: int
    left: int
    seat: int
    slot: int

class Slots:
    kind: int
    seat: int
    since: int
    places: int
    place: int
    origin: int
    takes: np.uint64

class Check:
    shown: int
    seat: int
    time: int
    wanted: npt.NDArray[np.uint64]  # [3]

class Take:
    time: int
    giver: int
    taker: int

class SlotClass:
    places: int
    free: int
    first: int
    unit: int
    fits: npt.NDArray[np.uint64]  # [3]

class Unit:
    places: int
    stride: int
    first: int
    loose: int
    fits: npt.NDArray[np.uint64]  # [3]

class Evidence:
    viewer: int
    pieces: int
    slots: int
    checks: int
    takes: int
    laid: int
    drawn: int
    opener: int
    first: int
    settled: npt.NDArray[np.uint64]  # [3]
    case: int
    supposed: int
    choices: float
    classes: int
    units: int
    open: int
    at_turn: int
    draws: int
    earned: int
    place: int
    step: int
    work: int
    listed: int
    next_case: int
    of_case: int
    left: int
    weight: float
    wanted: int
    tries: int

class OpenedEnd:
    by: int
    end: int
    kind: int
    uncovered: int
    opens_sides: int

class ArcPlace:
    cell: int
    corner: int
    first_edge: int

class Known:
    joined: npt.NDArray[np.uint64]  # [512]
    role: npt.NDArray[np.int64]  # [8]
    roles: np.uint64
    unseen: npt.NDArray[np.uint64]  # [3]
    free: npt.NDArray[np.uint64]  # [8, 3]
    num_free: npt.NDArray[np.int64]  # [8]
    made: npt.NDArray[np.uint64]  # [2]
    covered: npt.NDArray[np.uint64]  # [2]
    lacks: npt.NDArray[np.uint64]  # [2]
    all_lack: np.uint64
    heavy: npt.NDArray[np.uint64]  # [10, 3]
    num_unseen: int
    pips: int
