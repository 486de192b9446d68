-- Sets a field of a player's hash, if there is the player.
--
-- KEYS[1]  the player
-- ARGV[1]  the field
-- ARGV[2]  its value
-- returns  the value before, or nil where there is no such player

local before = redis.call('HGET', KEYS[1], ARGV[1])
if before then
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
end
return before
