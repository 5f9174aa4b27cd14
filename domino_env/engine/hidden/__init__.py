"""What a seat cannot see, dealt anew: exactly the deals that agree with all it has seen.

`evidence` reads the record of a round as one seat saw it, `counting` counts the deals that agree
with it, `worlds` draws one of them, each as likely, and writes it down as a game.
"""

COMPILED = ("beliefs", 10)
