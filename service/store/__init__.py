"""Where sessions and players are kept: in Redis, or in memory for tests. Both pass one contract suite."""
