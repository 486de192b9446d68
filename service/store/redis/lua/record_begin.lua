-- Notes the run that counts for a player's day, unless there is one or the player is gone.
--
-- KEYS[1]  the player
-- KEYS[2]  the player's days
-- ARGV[1]  the date
-- ARGV[2]  the run as text
-- returns  the run that stands

if redis.call('EXISTS', KEYS[1]) == 0 then
  return ARGV[2]
end
redis.call('HSETNX', KEYS[2], ARGV[1], ARGV[2])
return redis.call('HGET', KEYS[2], ARGV[1])
