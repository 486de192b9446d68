-- Puts a problem on the workers' list, unless it is there, and says that it is wanted.
--
-- KEYS[1]  the problem's place on the list, while it is wanted
-- KEYS[2]  the list, a stream, which comes with its group of workers
-- ARGV[1]  milliseconds for which it is wanted
-- ARGV[2]  how many problems the list takes
-- ARGV[3]  milliseconds for which a worker that says nothing is at it
-- ARGV[4]  the problem; none only makes the list
-- returns  2 if a worker is at it, 1 if it waits for one, 0 if the list is full

if redis.call('EXISTS', KEYS[2]) == 0 then
  redis.call('XGROUP', 'CREATE', KEYS[2], 'workers', '0', 'MKSTREAM')
end
if not ARGV[4] then
  return 1
end
local place = redis.call('GET', KEYS[1])
if place and #redis.call('XRANGE', KEYS[2], place, place) == 1 then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  local taken = redis.call('XPENDING', KEYS[2], 'workers', place, place, 1)[1]
  return taken and taken[3] < tonumber(ARGV[3]) and 2 or 1
end
if redis.call('XLEN', KEYS[2]) >= tonumber(ARGV[2]) then
  return 0
end
place = redis.call('XADD', KEYS[2], '*', 'problem', ARGV[4])
redis.call('SET', KEYS[1], place, 'PX', ARGV[1])
return 1
