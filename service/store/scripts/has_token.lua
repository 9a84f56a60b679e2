-- Shared: checks whether a player has the token with this id. `old` is the value of the field `token` if the token is
-- stored there, otherwise ''.

local function has_token(player, id, old)
  local fields = redis.call('HGETALL', player)
  for number = 1, #fields, 2 do
    local name, stored = fields[number], fields[number + 1]
    if string.sub(name, 1, 6) == 'token:' then
      local readable, token = pcall(cjson.decode, stored)
      if readable and type(token) == 'table' and token.id == id then
        return true
      end
    elseif name == 'token' and old ~= '' and stored == old then
      return true
    end
  end
  return false
end
