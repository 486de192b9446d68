-- Appends an entry to each of some sessions' logs, if that log ends where its mover thinks, and rings the doorbell.
-- One session that fails spares the others. In a session everything before the APPEND is a check, since a script is
-- not rolled back. In a cluster a call carries one session, so that its keys share a slot; the channel is no key,
-- since none exists under its name, for which a slot that is being moved would refuse the call.
--
-- KEYS[2n - 1] the nth session's meta
-- KEYS[2n]     its log
-- ARGV[1]      milliseconds for which an idle session is kept, 0 for ever
-- ARGV[2]      in MessagePack, for each session: its channel, the meta's field of the mover's seat, the mover, whether
--              the caller hears the channel and so need not be rung up by itself, the bytes that the log must have, the
--              status after the entry, whether the log stays open after it, and the time of the commit, for lists
-- ARGV[3]      for each session: the checksum that the log must end with, four bytes, and the entry
-- returns  a text of one byte for each session: 0 committed, 1 stale, 2 closed, 3 not your seat, 4 gone, 5 failed; and
--          behind it, for each that failed, why

local call, ttl = redis.call, tonumber(ARGV[1])
local now = call('TIME')
local expires = now[1] * 1000 + math.floor(now[2] / 1000) + ttl
local EMPTY = '\0\0\0\0' -- the checksum of an empty log
local slack = math.min(60000, ttl / 10) -- how much earlier a session may go, which spares most commits two writes

local function keep(meta, log)
  if ttl == 0 then
    call('PERSIST', meta)
    call('PERSIST', log)
  elseif call('HEXISTS', meta, 'day') == 0 then -- else a run of a day, which is created to be kept for ever
    call('PEXPIREAT', meta, string.format('%.0f', expires))
    call('PEXPIREAT', log, string.format('%.0f', expires))
  end
end

local function commit(meta, log, facts, ends, entry)
  local channel, seat, mover, is_heard, length, status, is_open, time = unpack(facts)
  local held = call('HMGET', meta, 'open', 'status', seat)
  if not held[1] then
    return 4
  end
  if held[3] ~= mover then
    return 3
  end
  local last = call('GETRANGE', log, length == 0 and 0 or length - 4, length)
  if (length == 0 and last == '' and EMPTY or last) ~= ends then
    return 1
  end
  if held[1] ~= '1' then
    return 2
  end

  call('APPEND', log, entry)
  if not is_open then
    call('SET', log, call('GET', log), 'KEEPTTL') -- gives back the room that the appends had taken in advance
  end
  if held[2] == status and is_open then
    call('HSET', meta, 'updated', time)
  else
    call('HSET', meta, 'updated', time, 'status', status, 'open', is_open and 1 or 0)
  end
  local kept = call('PEXPIRETIME', meta)
  if length == 0 or (ttl == 0 and kept ~= -1) or (ttl > 0 and math.abs(expires - kept) > slack) then
    keep(meta, log)
  end
  if call('PUBSUB', 'SHARDNUMSUB', channel)[2] > (is_heard and 1 or 0) then
    call('SPUBLISH', channel, entry)
  end
  return 0
end

local verdicts, failures = {}, {}
for n, facts in ipairs(cmsgpack.unpack(ARGV[2])) do
  local ends, entry = string.sub(ARGV[3], 14 * n - 13, 14 * n - 10), string.sub(ARGV[3], 14 * n - 9, 14 * n)
  local done, verdict = pcall(commit, KEYS[2 * n - 1], KEYS[2 * n], facts, ends, entry)
  if not done then
    failures[#failures + 1] = type(verdict) == 'table' and verdict.err or tostring(verdict)
    verdict = 5
  end
  verdicts[n] = string.char(verdict)
end
return { table.concat(verdicts), unpack(failures) }
