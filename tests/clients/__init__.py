"""One file a client: does it train on these games? Run by `python -m tests.clients`, not with the
other tests, since each needs an environment of its own."""
