-- Takes a player's name out of a session, and rings the doorbell: a solo session that is no run is deleted, a seat in
-- a shared one that is open becomes free, and any other is held under an empty name.
--
-- KEYS[1]  the session's meta
-- KEYS[2]  the session's log
-- KEYS[3]  the session's plans
-- ARGV[1]  the session's channel
-- ARGV[2]  the player
-- returns  1, or 0 where the player has no seat

local meta = redis.call('HMGET', KEYS[1], 'capacity', 'mode', 'run', 'open')
for seat = 0, (meta[1] or 0) - 1 do
  if redis.call('HGET', KEYS[1], 'seat' .. seat) == ARGV[2] then
    if meta[2] == 'solo' and not meta[3] then
      redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
    else
      redis.call('HSET', KEYS[1], 'name' .. seat, '')
      if meta[2] ~= 'solo' and meta[4] == '1' then
        redis.call('HDEL', KEYS[1], 'seat' .. seat)
      end
    end
    redis.call('SPUBLISH', ARGV[1], '')
    return 1
  end
end
return 0
