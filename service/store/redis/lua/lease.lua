-- Gives the lease to a holder, unless another has it.
--
-- KEYS[1]  the lease
-- ARGV[1]  the holder
-- ARGV[2]  milliseconds for which it is given
-- returns  1, or 0 where another has it

local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then
  return 0
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
