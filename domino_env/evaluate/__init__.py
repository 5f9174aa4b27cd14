"""How strong agents are: tournaments on duplicate deals, ratings, and the ladder."""
