-- Puts a player on a board where the key belongs, if that is better than what stands there.
--
-- KEYS[1]  the board
-- KEYS[2]  its rows
-- KEYS[3]  who was taken off the home's boards
-- KEYS[4]  the home's version
-- ARGV[1]  the player
-- ARGV[2]  the rank key
-- ARGV[3]  the result, empty where there is none
-- ARGV[4]  the version after a change
-- returns  1 if it was better, else 0

if redis.call('SISMEMBER', KEYS[3], ARGV[1]) == 1 then
  return 0
end
if redis.call('ZADD', KEYS[1], 'GT', 'CH', ARGV[2], ARGV[1]) == 0 then
  return 0
end
if ARGV[3] ~= '' then
  redis.call('HSET', KEYS[2], ARGV[1], ARGV[3])
end
redis.call('SET', KEYS[4], ARGV[4])
return 1
