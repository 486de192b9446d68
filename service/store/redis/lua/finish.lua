-- Takes a problem off the workers' list, and tells whoever waits for it, if it was there.
--
-- KEYS[1]  the problem's place on the list, while it is wanted
-- KEYS[2]  the list, a stream
-- KEYS[3]  the names of the last problems that were taken off, a stream
-- ARGV[1]  the place at which it is taken off
-- ARGV[2]  about how many names are kept
-- ARGV[3]  its name
-- returns  1 if it was there, 0 if not

redis.call('XACK', KEYS[2], 'workers', ARGV[1])
if redis.call('GET', KEYS[1]) == ARGV[1] then
  redis.call('DEL', KEYS[1])
end
local was_there = redis.call('XDEL', KEYS[2], ARGV[1])
if was_there == 1 then
  redis.call('XADD', KEYS[3], 'MAXLEN', '~', ARGV[2], '*', 'name', ARGV[3])
end
return was_there
