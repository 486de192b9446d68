"""The store in Redis 7 or Valkey; README.md says which client it uses, what an ack means, and what failover does.

topology  which node holds a key, by the URL alone
link      one connection over hiredis, for commits and doorbells
client    redis-py's connections, for everything else
keys      every key and channel
scripts   the Lua files of lua/, each an atomic step of keys that share a slot
commits   group commit, the one call that may carry many sessions
sessions  sessions and their logs
events    doorbells over sharded pub/sub
players   players, tokens, tickets
"""
