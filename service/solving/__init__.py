"""The solver on processes of its own, away from the event loop."""
