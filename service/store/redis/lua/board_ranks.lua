-- Tells where some players stand on a board.
--
-- KEYS[1]  the board
-- KEYS[2]  its rows
-- ARGV[n]  the nth player
-- returns  the board's size; and for each who has a row, the player, the rank key, how many rows are better, and the
--          result

local said = {redis.call('ZCARD', KEYS[1])}
for n = 1, #ARGV do
  local key = redis.call('ZSCORE', KEYS[1], ARGV[n])
  if key then
    local better = redis.call('ZCOUNT', KEYS[1], '(' .. key, '+inf')
    said[#said + 1] = {ARGV[n], key, better, redis.call('HGET', KEYS[2], ARGV[n])}
  end
end
return said
