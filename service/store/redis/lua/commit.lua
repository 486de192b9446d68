-- Appends one entry to a session's log, if the log ends where the mover thinks, and rings the doorbell.
-- Everything before the APPEND is a check, since a script is not rolled back.
--
-- KEYS[1]  the session's meta
-- KEYS[2]  the session's log
-- KEYS[3]  the session's channel
-- ARGV[1]  the bytes that the log must have
-- ARGV[2]  the checksum that it must end with, four bytes; empty for an empty log
-- ARGV[3]  the entry
-- ARGV[4]  the meta's field of the mover's seat
-- ARGV[5]  the mover
-- ARGV[6]  the status after the entry
-- ARGV[7]  1 if the log stays open after it, else 0
-- ARGV[8]  the time of the commit, for lists
-- ARGV[9]  milliseconds for which an idle session is kept, 0 for ever
-- returns  committed, stale, closed, not_your_seat or gone

local meta = redis.call('HMGET', KEYS[1], 'open', ARGV[4])
if not meta[1] then
  return 'gone'
end
if meta[2] ~= ARGV[5] then
  return 'not_your_seat'
end
if redis.call('STRLEN', KEYS[2]) ~= tonumber(ARGV[1]) or redis.call('GETRANGE', KEYS[2], -4, -1) ~= ARGV[2] then
  return 'stale'
end
if meta[1] ~= '1' then
  return 'closed'
end

redis.call('APPEND', KEYS[2], ARGV[3])
redis.call('HSET', KEYS[1], 'status', ARGV[6], 'open', ARGV[7], 'updated', ARGV[8])
if ARGV[9] == '0' then
  redis.call('PERSIST', KEYS[1])
  redis.call('PERSIST', KEYS[2])
else
  local now = redis.call('TIME')
  local expires = now[1] * 1000 + math.floor(now[2] / 1000) + ARGV[9]
  redis.call('PEXPIREAT', KEYS[1], string.format('%.0f', expires))
  redis.call('PEXPIREAT', KEYS[2], string.format('%.0f', expires))
end
redis.call('SPUBLISH', KEYS[3], ARGV[3])
return 'committed'
