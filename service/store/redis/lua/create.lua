-- Stores a session without entries, if its id is free.
--
-- KEYS[1]  the session's meta
-- ARGV[1]  milliseconds for which an idle session is kept, 0 for ever
-- ARGV[2…] the meta's fields and values
-- returns  1, or 0 where the id is taken

if redis.call('EXISTS', KEYS[1]) == 1 then
  return 0
end
redis.call('HSET', KEYS[1], unpack(ARGV, 2))
if ARGV[1] ~= '0' then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
end
return 1
