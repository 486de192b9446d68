-- Has a run of a day take no further entry, tell its deal and let all watch, and rings the doorbell.
--
-- KEYS[1]  the session's meta
-- ARGV[1]  the session's channel
-- returns  1, or 0 where there is no such run, or where that was so already

local held = redis.call('HMGET', KEYS[1], 'day', 'open', 'secret', 'spectators')
if not held[1] or (held[2] == '0' and held[3] == '0' and held[4] == '1') then
  return 0
end
redis.call('HSET', KEYS[1], 'open', 0, 'secret', 0, 'spectators', 1)
if held[2] == '1' then
  redis.call('HSET', KEYS[1], 'status', 'expired')
end
redis.call('SPUBLISH', ARGV[1], '')
return 1
