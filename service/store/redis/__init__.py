"""The store in Redis 7 or Valkey.

client    the connection, and what its failures are called
keys      every key and channel
scripts   the Lua files of lua/, each an atomic step of keys that share a slot
commits   group commit, the one call that may carry many sessions
sessions  sessions and their logs
events    doorbells over sharded pub/sub
players   players, tokens, tickets
"""
