"""Play under faults, with real processes, and the proof that nothing acknowledged was lost, doubled or kept silent."""
