-- Says that a day's boards are final, if it is kept.
--
-- KEYS[1]  the day
-- ARGV[1]  since when; the first time that was said stands
-- ARGV[2]  what the day came to
-- returns  1, or 0 where it is not kept

if redis.call('EXISTS', KEYS[1]) == 0 then
  return 0
end
redis.call('HSETNX', KEYS[1], 'final', ARGV[1])
redis.call('HSET', KEYS[1], 'summary', ARGV[2])
return 1
