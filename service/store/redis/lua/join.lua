-- Gives a player the first free seat of a session, and rings the doorbell.
--
-- KEYS[1]  the session's meta
-- KEYS[2]  the session's log
-- ARGV[1]  the session's channel
-- ARGV[2]  milliseconds for which an idle session is kept, 0 for ever
-- ARGV[3]  the player
-- ARGV[4]  the player's name
-- ARGV[5]  the invite code
-- returns  seated, already, full, wrong_invite, closed or gone

local meta = redis.call('HMGET', KEYS[1], 'open', 'invite', 'capacity')
if not meta[1] then
  return 'gone'
end
local free
for seat = meta[3] - 1, 0, -1 do
  local player = redis.call('HGET', KEYS[1], 'seat' .. seat)
  if player == ARGV[3] then
    return 'already'
  end
  if not player then
    free = seat
  end
end
if ARGV[5] == '' or ARGV[5] ~= meta[2] then
  return 'wrong_invite'
end
if meta[1] ~= '1' then
  return 'closed'
end
if not free then
  return 'full'
end

redis.call('HSET', KEYS[1], 'seat' .. free, ARGV[3], 'name' .. free, ARGV[4])
if ARGV[2] == '0' then
  redis.call('PERSIST', KEYS[1])
  redis.call('PERSIST', KEYS[2])
else
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  redis.call('PEXPIREAT', KEYS[2], redis.call('PEXPIRETIME', KEYS[1])) -- both at once
end
redis.call('SPUBLISH', ARGV[1], '')
return 'seated'
