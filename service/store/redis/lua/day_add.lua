-- Keeps a day for ever, unless it is kept already.
--
-- KEYS[1]  the day
-- ARGV[1…] its fields and values
-- returns  all fields and values that are kept

if redis.call('EXISTS', KEYS[1]) == 0 then
  redis.call('HSET', KEYS[1], unpack(ARGV, 1))
end
return redis.call('HGETALL', KEYS[1])
