-- Has drafts take the places of all boards of a home, if they are whole. Who was taken off stays off.
--
-- KEYS[1]  who was taken off the home's boards
-- KEYS[2]  the home's version
-- KEYS[4n - 1] the nth board
-- KEYS[4n] its rows
-- KEYS[4n + 1] its draft, which is not there where the board has no row
-- KEYS[4n + 2] the draft's rows
-- ARGV[1]  the version after it
-- ARGV[n + 1] how many rows the nth draft must have
-- returns  1, or 0 if a draft is not whole, and nothing has changed

for n = 1, #ARGV - 1 do
  if redis.call('ZCARD', KEYS[4 * n + 1]) ~= tonumber(ARGV[n + 1]) then
    return 0
  end
end
local removed = redis.call('SMEMBERS', KEYS[1])
for n = 1, #ARGV - 1 do
  for part = 0, 1 do
    local kept, draft = KEYS[4 * n - 1 + part], KEYS[4 * n + 1 + part]
    for _, player in ipairs(removed) do
      redis.call(part == 0 and 'ZREM' or 'HDEL', draft, player)
    end
    redis.call('UNLINK', kept)
    if redis.call('PERSIST', draft) == 1 then
      redis.call('RENAME', draft, kept)
    end
  end
end
redis.call('SET', KEYS[2], ARGV[1])
return 1
