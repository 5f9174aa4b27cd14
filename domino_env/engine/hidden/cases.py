"""The cases of an information set: where each tile was from that went unseen from hand to hand.

Within a case it is settled in whose hand each slot was at any time, so the deals that agree can be
counted. No deal is in two cases, and all cases together are the information set. A round without
unseen takes has one.
"""

from __future__ import annotations

import numpy as np

from domino_env.compiling import kernel, small
from domino_env.engine.bits import ONE
from domino_env.engine.hidden.constraints import could_give
from domino_env.engine.hidden.deal_counting import NONE_AGREES, count_ways
from domino_env.engine.hidden.information_set import Notes
from domino_env.engine.state import RuleTable

ALL_LISTED, TOO_MANY_CASES, INTERRUPTED = range(3)


@small
def begin_cases(notes: Notes) -> None:
    """Supposes that each take was of the first slots."""
    for take in range(notes.evidence[0].takes):
        notes.cases[0, take] = 0
    notes.evidence[0].listed = 0


@kernel
def list_cases(rules: RuleTable, notes: Notes, most: int) -> int:
    """Lists all that could be supposed, with how many deals agree: ALL_LISTED, TOO_MANY_CASES, or
    INTERRUPTED after about so much work; then it is to be called again."""
    evidence, cases = notes.evidence[0], notes.cases
    more = True
    while more:
        if evidence.work > most:
            return INTERRUPTED
        at, found = evidence.takes - 1, evidence.listed
        failed = suppose(rules, notes, found)
        evidence.work += evidence.slots
        if failed >= 0:
            at = failed
        else:
            weight = count_ways(rules, notes)
            if weight > NONE_AGREES:
                notes.log_counts[found] = weight
                evidence.case = found
                if found + 2 > len(cases):
                    return TOO_MANY_CASES
                for column in range(evidence.takes):
                    cases[found + 1, column] = cases[found, column]
                evidence.listed = found + 1
        more = next_case(notes, int(evidence.listed), at)
    return ALL_LISTED


@kernel
def next_case(notes: Notes, case: int, at: int) -> bool:
    """Supposes something else from a take on; False if all has been supposed."""
    cases = notes.cases
    for take in range(at + 1, notes.evidence[0].takes):
        cases[case, take] = 0
    while at >= 0:
        cases[case, at] += 1
        if cases[case, at] < notes.evidence[0].slots + at:
            return True
        cases[case, at] = 0
        at -= 1
    return False


@kernel
def suppose(rules: RuleTable, notes: Notes, case: int) -> int:
    """Writes down the slots of a case: each unseen take was of a tile from certain slots. Answers
    with the first take that could not have been, or -1."""
    evidence, takes, supposed = notes.evidence[0], notes.takes, notes.supposed
    number = evidence.slots
    evidence.choices = 1.0
    evidence.case = -1  # what has been counted of another is no longer good
    for s in range(number):
        supposed[s] = notes.slots[s]
    for take in range(evidence.takes):
        chosen = notes.cases[case, take]
        if chosen >= number or not could_give(supposed[chosen], takes, take):
            return take
        evidence.choices *= supposed[chosen].places
        if supposed[chosen].places > 1:  # one of them goes, the others stay
            supposed[chosen].places -= 1
            supposed[number] = supposed[chosen]
            supposed[number].places = 1
            supposed[number].place = supposed[chosen].place + supposed[chosen].places
            chosen = number
            number += 1
        supposed[chosen].takes |= ONE << np.uint64(take)
    evidence.supposed = number
    return -1
