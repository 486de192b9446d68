-- Counts what a day is worth to a player in a period, and puts the player where the sum or the mean belongs.
--
-- KEYS[1]  the board
-- KEYS[2]  what each day counts for the player
-- KEYS[3]  who was taken off the home's boards
-- KEYS[4]  the home's version
-- ARGV[1]  the player
-- ARGV[2]  the date
-- ARGV[3]  what the day is worth, empty if it counts no more
-- ARGV[4]  how many of the best days are summed; 0 for the mean of all
-- ARGV[5]  how many days a mean needs
-- ARGV[6]  the version after a change
-- returns  1 if the board has changed, else 0

if redis.call('SISMEMBER', KEYS[3], ARGV[1]) == 1 then
  return 0
end
if ARGV[3] == '' then
  redis.call('HDEL', KEYS[2], ARGV[2])
else
  redis.call('HSET', KEYS[2], ARGV[2], ARGV[3])
end

local worth, best, sum = redis.call('HVALS', KEYS[2]), tonumber(ARGV[4]), 0
for at = 1, #worth do
  worth[at] = tonumber(worth[at])
end
table.sort(worth, function(one, other) return one > other end)
for at = 1, best == 0 and #worth or math.min(best, #worth) do
  sum = sum + worth[at]
end
local changed
if #worth == 0 or (best == 0 and #worth < tonumber(ARGV[5])) then
  changed = redis.call('ZREM', KEYS[1], ARGV[1])
else
  local key = best == 0 and math.floor(sum / #worth) or sum
  changed = redis.call('ZADD', KEYS[1], 'CH', string.format('%.0f', key), ARGV[1])
end
if changed == 1 then
  redis.call('SET', KEYS[4], ARGV[6])
end
return changed
