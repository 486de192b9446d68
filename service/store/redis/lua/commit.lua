-- Appends an entry to each of some sessions' logs, if that log ends where its mover thinks, and rings the doorbell.
-- One session that fails spares the others. In a session everything before the APPEND is a check, since a script is
-- not rolled back. In a cluster a call carries one session, so that its keys share a slot.
--
-- For the nth session, with k = 3 (n - 1) and a = 9 (n - 1):
-- KEYS[k + 1]  the session's meta
-- KEYS[k + 2]  the session's log
-- KEYS[k + 3]  the session's channel
-- ARGV[a + 1]  the bytes that the log must have
-- ARGV[a + 2]  the checksum that it must end with, four bytes; empty for an empty log
-- ARGV[a + 3]  the entry
-- ARGV[a + 4]  the meta's field of the mover's seat
-- ARGV[a + 5]  the mover
-- ARGV[a + 6]  the status after the entry
-- ARGV[a + 7]  1 if the log stays open after it, else 0
-- ARGV[a + 8]  the time of the commit, for lists
-- ARGV[a + 9]  milliseconds for which an idle session is kept, 0 for ever
-- returns  for each session: committed, stale, closed, not_your_seat, gone, or failed: and why

local now = redis.call('TIME')
now = now[1] * 1000 + math.floor(now[2] / 1000)

local function commit(k, a)
  local meta = redis.call('HMGET', KEYS[k + 1], 'open', ARGV[a + 4])
  if not meta[1] then
    return 'gone'
  end
  if meta[2] ~= ARGV[a + 5] then
    return 'not_your_seat'
  end
  local log = KEYS[k + 2]
  if redis.call('STRLEN', log) ~= tonumber(ARGV[a + 1]) or redis.call('GETRANGE', log, -4, -1) ~= ARGV[a + 2] then
    return 'stale'
  end
  if meta[1] ~= '1' then
    return 'closed'
  end

  redis.call('APPEND', log, ARGV[a + 3])
  if ARGV[a + 7] == '0' then
    redis.call('SET', log, redis.call('GET', log)) -- gives back the room that the appends had taken in advance
  end
  redis.call('HSET', KEYS[k + 1], 'status', ARGV[a + 6], 'open', ARGV[a + 7], 'updated', ARGV[a + 8])
  if ARGV[a + 9] == '0' then
    redis.call('PERSIST', KEYS[k + 1])
    redis.call('PERSIST', log)
  else
    local expires = string.format('%.0f', now + ARGV[a + 9])
    redis.call('PEXPIREAT', KEYS[k + 1], expires)
    redis.call('PEXPIREAT', log, expires)
  end
  redis.call('SPUBLISH', KEYS[k + 3], ARGV[a + 3])
  return 'committed'
end

local verdicts = {}
for n = 0, #KEYS / 3 - 1 do
  local done, verdict = pcall(commit, 3 * n, 9 * n)
  if not done then
    verdict = 'failed: ' .. (type(verdict) == 'table' and verdict.err or tostring(verdict))
  end
  verdicts[n + 1] = verdict
end
return verdicts
