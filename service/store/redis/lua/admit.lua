-- Notes one more token of a player, if there is the player, and forgets the oldest of too many.
--
-- KEYS[1]  the player
-- KEYS[2]  the player's tokens
-- ARGV[1]  the token's digest
-- ARGV[2]  the time it was given
-- ARGV[3]  how many tokens a player has at most
-- returns  the digests that are forgotten, or nil where there is no such player

if redis.call('EXISTS', KEYS[1]) == 0 then
  return false
end
redis.call('ZADD', KEYS[2], ARGV[2], ARGV[1])
local void = redis.call('ZRANGE', KEYS[2], 0, -1 - ARGV[3])
if #void > 0 then
  redis.call('ZREM', KEYS[2], unpack(void))
end
return void
