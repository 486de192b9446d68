-- Notes what came of the run of a player's day, unless the day has another or the player is gone.
--
-- KEYS[1]  the player
-- KEYS[2]  the player's days
-- ARGV[1]  the date
-- ARGV[2]  the session, and a space
-- ARGV[3]  the run as text, which begins like that
-- returns  1 if it is noted, else 0

if redis.call('EXISTS', KEYS[1]) == 0 then
  return 0
end
local held = redis.call('HGET', KEYS[2], ARGV[1])
if held and string.sub(held, 1, #ARGV[2]) ~= ARGV[2] then
  return 0
end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[3])
return 1
