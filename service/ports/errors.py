"""What can go wrong with the world."""


class StoreUnavailable(Exception):
    """The store cannot be reached, or cannot write, just now."""
