-- Frees a player's seat, if there is one, and rings the doorbell. An empty name tells that it was taken once.
--
-- KEYS[1]  the session's meta
-- KEYS[2]  the session's log
-- ARGV[1]  the session's channel
-- ARGV[2]  milliseconds for which an idle session is kept, 0 for ever
-- ARGV[3]  the player
-- returns  1, or 0 where the player has no seat

for seat = 0, (redis.call('HGET', KEYS[1], 'capacity') or 0) - 1 do
  if redis.call('HGET', KEYS[1], 'seat' .. seat) == ARGV[3] then
    redis.call('HSET', KEYS[1], 'name' .. seat, '')
    redis.call('HDEL', KEYS[1], 'seat' .. seat)
    if ARGV[2] == '0' then
      redis.call('PERSIST', KEYS[1])
      redis.call('PERSIST', KEYS[2])
    else
      redis.call('PEXPIRE', KEYS[1], ARGV[2])
      redis.call('PEXPIREAT', KEYS[2], redis.call('PEXPIRETIME', KEYS[1])) -- both at once
    end
    redis.call('SPUBLISH', ARGV[1], '')
    return 1
  end
end
return 0
