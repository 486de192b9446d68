-- Tells the rows around a place of a board: its top, where a player stands, or just behind where a row stood.
--
-- KEYS[1]  the board
-- KEYS[2]  its rows
-- ARGV[1]  the player of the place, empty for the top
-- ARGV[2]  the rank key of a row that stood there, empty for where the player stands now
-- ARGV[3]  how many rows above the place
-- ARGV[4]  how many rows below the one at it
-- returns  the board's size; and if there are such rows, how many rows are above the first, how many are better than it,
--          the players, each with the rank key, and their results

-- Whether a text comes before another byte by byte, as members of a sorted set do; Lua's own < goes by the locale.
local function is_before(one, other)
  for at = 1, math.min(#one, #other) do
    local here, there = one:byte(at), other:byte(at)
    if here ~= there then
      return here < there
    end
  end
  return #one < #other
end

-- How many rows stand at or above a place, whoever is there now. Of those that share the key it halves the range.
local function behind(key, player)
  local now = redis.call('ZSCORE', KEYS[1], player)
  if now and tonumber(now) == tonumber(key) then
    return redis.call('ZREVRANK', KEYS[1], player) + 1
  end
  local low = redis.call('ZCOUNT', KEYS[1], '(' .. key, '+inf')
  local high = low + redis.call('ZCOUNT', KEYS[1], key, key)
  while low < high do
    local middle = math.floor((low + high) / 2)
    if is_before(redis.call('ZRANGE', KEYS[1], middle, middle, 'REV')[1], player) then
      high = middle
    else
      low = middle + 1
    end
  end
  return low
end

local size, place = redis.call('ZCARD', KEYS[1]), 0
if ARGV[2] ~= '' then
  place = behind(ARGV[2], ARGV[1])
elseif ARGV[1] ~= '' then
  place = redis.call('ZREVRANK', KEYS[1], ARGV[1])
end
if not place then
  return {size}
end
local first = math.max(0, place - ARGV[3])
local standings = redis.call('ZRANGE', KEYS[1], first, place + ARGV[4], 'REV', 'WITHSCORES')
if #standings == 0 then
  return {size}
end
local players = {}
for at = 1, #standings, 2 do
  players[#players + 1] = standings[at]
end
local better = redis.call('ZCOUNT', KEYS[1], '(' .. standings[2], '+inf')
return {size, first, better, standings, redis.call('HMGET', KEYS[2], unpack(players))}
