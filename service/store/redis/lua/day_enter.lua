-- Notes a run of a day, whose result is not noted yet, unless it was noted before.
--
-- KEYS[1]  the day's runs
-- KEYS[2]  those of them that are not settled
-- ARGV[1]  the session, and a space
-- ARGV[2]  the run as text, which begins like that
-- returns  1, or 0 where it was noted before

if #redis.call('ZRANGE', KEYS[1], '[' .. ARGV[1], '(' .. ARGV[1] .. '\255', 'BYLEX', 'LIMIT', 0, 1) > 0 then
  return 0
end
redis.call('ZADD', KEYS[1], 0, ARGV[2])
redis.call('ZADD', KEYS[2], 0, ARGV[2])
return 1
