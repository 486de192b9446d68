-- Takes a player off all boards of a home, for good.
--
-- KEYS[1]  who was taken off the home's boards
-- KEYS[2]  the home's version
-- KEYS[3n] the nth board
-- KEYS[3n + 1] its rows
-- KEYS[3n + 2] what each day counts for the player there
-- ARGV[1]  the player
-- ARGV[2]  the version after a change
-- returns  1 if the player had a row, else 0

redis.call('SADD', KEYS[1], ARGV[1])
local had = 0
for n = 1, (#KEYS - 2) / 3 do
  had = math.max(had, redis.call('ZREM', KEYS[3 * n], ARGV[1]))
  redis.call('HDEL', KEYS[3 * n + 1], ARGV[1])
  redis.call('UNLINK', KEYS[3 * n + 2])
end
if had == 1 then
  redis.call('SET', KEYS[2], ARGV[2])
end
return had
