"""What agents are made of that ask a language model: the endpoint, and what asking has cost."""
