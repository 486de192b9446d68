-- Has a player follow another, if there is room, and the player.
--
-- KEYS[1]  the player
-- KEYS[2]  whom the player follows
-- ARGV[1]  the other
-- ARGV[2]  the time
-- ARGV[3]  how many may be followed
-- returns  followed, full or gone

if redis.call('EXISTS', KEYS[1]) == 0 then
  return 'gone'
end
if redis.call('ZSCORE', KEYS[2], ARGV[1]) then
  return 'followed'
end
if redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[3]) then
  return 'full'
end
redis.call('ZADD', KEYS[2], ARGV[2], ARGV[1])
return 'followed'
