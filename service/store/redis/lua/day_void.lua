-- Takes a day out of all rankings, if it is kept.
--
-- KEYS[1]  the day
-- returns  1, or 0 where it is not kept

if redis.call('EXISTS', KEYS[1]) == 0 then
  return 0
end
redis.call('HSET', KEYS[1], 'void', 1)
return 1
