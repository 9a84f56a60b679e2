-- Records how far a player has read the talk of a game.
-- Run by Talk.mark in service/store/talk.py.
--
-- KEYS
--   read, news
--   lists...   the three lists of messages; messages in the last list, the spectators' room, do not count as news
-- ARGV
--   player      the player
--   game        the game's id
--   counts...   how many messages of each list the player has read
-- Returns nothing.
--
-- Reason: if two devices send requests at the same time, neither may reset the other's position. A message that arrives
-- in the meantime must stay in the news.
local read, news = KEYS[1], KEYS[2]
local lists = {unpack(KEYS, 3)}
local player, game = ARGV[1], ARGV[2]
local counts = {unpack(ARGV, 3)}

local before, after, all_read = {}, {}, true
for number in string.gmatch(redis.call('HGET', read, player) or '', '%d+') do
  before[#before + 1] = tonumber(number)
end
for place, list in ipairs(lists) do
  local length = redis.call('LLEN', list)
  after[place] = math.max(math.min(tonumber(counts[place]), length), before[place] or 0)
  all_read = all_read and (after[place] >= length or place == #lists)
end
redis.call('HSET', read, player, table.concat(after, ' '))
if all_read then
  redis.call('SREM', news, game)
end
