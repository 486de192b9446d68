"""British Constitution, the two-pack patience, as a service."""

__version__ = "0.1.0"
