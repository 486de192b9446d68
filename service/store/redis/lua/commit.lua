-- Appends an entry to each of some sessions' logs, if that log ends where its mover thinks, and rings the doorbell.
-- One session that fails spares the others. In a session everything before the APPEND is a check, since a script is
-- not rolled back. In a cluster a call carries one session, so that its keys share a slot; the channel is no key,
-- since none exists under its name, for which a slot that is being moved would refuse the call.
--
-- KEYS[2n - 1] the nth session's meta
-- KEYS[2n]     its log
-- ARGV[1]      milliseconds for which an idle session is kept, 0 for ever
-- and with a = 10n - 9:
-- ARGV[a + 1]  its channel
-- ARGV[a + 2]  the meta's field of the mover's seat
-- ARGV[a + 3]  the mover
-- ARGV[a + 4]  1 if the caller hears the channel, and so need not be rung up by itself, else 0
-- ARGV[a + 5]  the bytes that the log must have
-- ARGV[a + 6]  the checksum that it must end with, four bytes; empty for an empty log
-- ARGV[a + 7]  the entry
-- ARGV[a + 8]  the status after the entry
-- ARGV[a + 9]  1 if the log stays open after it, else 0
-- ARGV[a + 10] the time of the commit, for lists
-- returns  for each session: 0 committed, 1 stale, 2 closed, 3 not your seat, 4 gone, or a text: why it failed

local call, ttl = redis.call, tonumber(ARGV[1])
local now = call('TIME')
local expires = now[1] * 1000 + math.floor(now[2] / 1000) + ttl
local slack = math.min(60000, ttl / 10) -- how much earlier a session may go, which spares most commits two writes

local function keep(meta, log)
  if ttl == 0 then
    call('PERSIST', meta)
    call('PERSIST', log)
  else
    call('PEXPIREAT', meta, string.format('%.0f', expires))
    call('PEXPIREAT', log, string.format('%.0f', expires))
  end
end

local function commit(meta, log, a)
  local held = call('HMGET', meta, 'open', 'status', ARGV[a + 2])
  if not held[1] then
    return 4
  end
  if held[3] ~= ARGV[a + 3] then
    return 3
  end
  local length, entry, status, is_open = ARGV[a + 5], ARGV[a + 7], ARGV[a + 8], ARGV[a + 9]
  if call('GETRANGE', log, length == '0' and 0 or length - 4, length) ~= ARGV[a + 6] then
    return 1
  end
  if held[1] ~= '1' then
    return 2
  end

  call('APPEND', log, entry)
  if is_open == '0' then
    call('SET', log, call('GET', log), 'KEEPTTL') -- gives back the room that the appends had taken in advance
  end
  if held[2] == status and is_open == '1' then
    call('HSET', meta, 'updated', ARGV[a + 10])
  else
    call('HSET', meta, 'updated', ARGV[a + 10], 'status', status, 'open', is_open)
  end
  local kept = call('PEXPIRETIME', meta)
  if length == '0' or (ttl == 0 and kept ~= -1) or (ttl > 0 and math.abs(expires - kept) > slack) then
    keep(meta, log)
  end
  if call('PUBSUB', 'SHARDNUMSUB', ARGV[a + 1])[2] > tonumber(ARGV[a + 4]) then
    call('SPUBLISH', ARGV[a + 1], entry)
  end
  return 0
end

local verdicts = {}
for n = 1, #KEYS / 2 do
  local done, verdict = pcall(commit, KEYS[2 * n - 1], KEYS[2 * n], 10 * n - 9)
  if not done then
    verdict = type(verdict) == 'table' and verdict.err or tostring(verdict)
  end
  verdicts[n] = verdict
end
return verdicts
