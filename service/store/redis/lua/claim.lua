-- Notes a session id as a player's before the session is created.
--
-- KEYS[1]  the player's sessions
-- KEYS[2]  the claim of the idempotency key; not given without one
-- ARGV[1]  the session's cursor
-- ARGV[2]  the claim
-- ARGV[3]  milliseconds for which the key stands
-- ARGV[4]  how many sessions a player's list holds
-- returns  the claim that stands: this one, or the first under the same key

if KEYS[2] then
  local first = redis.call('GET', KEYS[2])
  if first then
    return first
  end
  redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3])
end
redis.call('ZADD', KEYS[1], 0, ARGV[1])
redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -1 - ARGV[4])
return ARGV[2]
