"""What the words of an answer are good for, as far as a move is read from them."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


SYNONYMS: dict[str, tuple[str, ...]] = {
    "end_turn": ("end the turn", "end my turn", "end this turn", "finish my turn"),
    "silent": ("keep silent", "stay silent", "remain silent", "keep quiet", "say nothing"),
    "call": ("say domino",),
    "counter": ("counterclockwise", "anticlockwise"),
    "go_on": ("continue",),
    "knock": ("knock out",),
    "lead": ("lead the round", "lead this round"),
    "yield": ("yield the lead", "yield to my partner", "yield the lead to my partner"),
    "pass": ("pass the turn", "pass my turn"),
}
"""Other ways to say a move that is no tile; each can be said by its own name, too."""

MOVES_BY_NAME = _words(
    "draw pass end_turn call silent clockwise counter reverse keep raise hold accept refuse go_on "
    "stop knock lead yield"
)
"""Moves of some games: where they are said in others, an error says that."""

NUMBERED_END = _words("end ends end_number")
PLACES = _words("column col columns junction gap place pair position")
COUNTED = _words("points point tiles pips pip dominoes")
BETWEEN = _words("number no nr the a an open exposed free is of")
"""What may stand between a word and the number that belongs to it."""
DETERMINERS = _words("the a an open exposed free")
ON = _words("on onto to at against upon matching match toward towards beside joining under below")
BY = _words("by via with using")
TURNING = _words("turning turn turns bending bends bend curving curves")
TO_A_SIDE = _words("turning bending curving")
SIDES = {"left": 0, "right": 1}
TURNS = {"right": 0, "left": 1}

VERBS = _words(
    "play plays lay put place choose pick select move go attach connect join set drop use add "
    "playing laying placing choosing do make knock slide decided decide chosen"
)
NEGATIONS = _words(
    "not never no cannot cant wont dont didnt doesnt isnt shouldnt wouldnt without nor neither "
    "nothing avoid avoiding unable against than refrain nope nvm wait cancel scratch undo forget"
)
HEDGES = _words(
    "or either maybe perhaps might may could can if unless else otherwise possibly unsure "
    "alternatively versus vs option options moves possible candidates choices consider "
    "considering considered whether both what how why"
)
HOLDING = _words(
    "have has had hold holds holding hand remaining remain remains keep keeps keeping kept save "
    "saving own owns retain leave leaves left"
)
OTHERS = _words(
    "seat he she they opponent opponents player players partner it this these those who his her "
    "their others everyone nobody somebody someone which that each"
)
"""A clause that begins so tells of somebody or something else than the move."""
REASONS = _words(
    "because since as for which while though although if when where before after leaving keeping "
    "hoping blocking forcing making giving given due whereas until lest"
)
"""What follows such a word in a sentence is no statement."""
JOINTS = REASONS | _words("and but so or else otherwise however therefore thus hence")
"""Words that begin another clause."""
TURNED = _words("but so however therefore thus hence")
"""Words with which somebody comes to the point."""
OWN = _words("i i'll ill i'd i'm let's lets let my")

FILLERS = _words(
    "a an the my i i'll i'd i'm me we us let let's lets will shall should must would like want "
    "going gonna am is are be it's its it this that here there now then so thus ok okay well hmm "
    "sure yes certainly definitely just simply again please thanks finally first next "
    "tile tiles domino dominoes bone stone piece half side sided table board line chain layout "
    "open exposed answer move action final best choice response decision output play turn step "
    "one own tool_call function name arguments args parameters legal valid available "
    "seems looks good strong safest "
    "better great fine safe obvious clear think believe decide decided choose chosen my_move "
    "instead actually to of with from boneyard stock stakes direction round hence "
    "out go and move_text select pick make do json text plaintext markdown xml up down it'll "
    "number by on at hand's too result final_answer kind type tile_a tile_b"
)
