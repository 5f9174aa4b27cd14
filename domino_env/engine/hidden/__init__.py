"""The posterior over what a seat cannot see: exactly the deals that agree with all it has seen.

`evidence` reads the log of a round into an `information_set`: which hidden tile may have come from
where (`constraints`). `deal_counting` counts the deals that agree with it, case by case (`cases`);
`posterior` samples some of them, each as likely, with `rejection` of what no counting takes care
of; `worlds` writes a sample down as a game.
"""

COMPILED = ("beliefs", 10)
