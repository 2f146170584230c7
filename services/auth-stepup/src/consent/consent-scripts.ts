/**
 * What Redis decides, each in one step. Times are milliseconds since the epoch and come from the caller; expiry in Redis
 * only tidies up. Of one user: `attempts` is a hash of `wrong`, `until` and `pin` (a block and the PIN it is on), and one
 * field per reservation that holds its deadline; `floor` is the version below which consent is void; `jti` is a token,
 * `<version>` until it is spent and `<version>:<what spent it>` after.
 */

/** KEYS attempts; ARGV now, reservation, deadline, most. → blocked until wrong pin · busy · reserved place */
export const reserve = `
local now = tonumber(ARGV[1])
local fields = redis.call('HGETALL', KEYS[1])
local wrong, blocked, pin, live = 0, 0, '', 0
for i = 1, #fields, 2 do
  local field, value = fields[i], fields[i + 1]
  if field == 'wrong' then wrong = tonumber(value)
  elseif field == 'until' then blocked = tonumber(value)
  elseif field == 'pin' then pin = value
  elseif tonumber(value) > now then live = live + 1
  else redis.call('HDEL', KEYS[1], field) end
end
if blocked > now then return { 'blocked', blocked, wrong, pin } end
if blocked > 0 then
  redis.call('HDEL', KEYS[1], 'until', 'pin', 'wrong')
  wrong = 0
end
if wrong + live >= tonumber(ARGV[4]) then return { 'busy' } end
redis.call('HSET', KEYS[1], ARGV[2], ARGV[3])
if wrong == 0 then redis.call('PEXPIRE', KEYS[1], 600000) end
return { 'reserved', wrong + live + 1 }
`;

/** KEYS attempts; ARGV now, reservation, limit, until, pin, tidyAfterMs. → gone · wrong left · blocked until wrong */
export const settleWrong = `
local deadline = redis.call('HGET', KEYS[1], ARGV[2])
redis.call('HDEL', KEYS[1], ARGV[2])
if not deadline or tonumber(deadline) <= tonumber(ARGV[1]) then return { 'gone' } end
local wrong = redis.call('HINCRBY', KEYS[1], 'wrong', 1)
local limit = tonumber(ARGV[3])
if wrong < limit then
  redis.call('PERSIST', KEYS[1])
  return { 'wrong', limit - wrong }
end
redis.call('HSET', KEYS[1], 'until', ARGV[4], 'pin', ARGV[5])
redis.call('PEXPIRE', KEYS[1], ARGV[6])
return { 'blocked', wrong }
`;

/** KEYS attempts, floor, jti; ARGV now, reservation, version, jtiLivesMs (0: no token). → gone · outdated · right */
export const settleRight = `
local deadline = redis.call('HGET', KEYS[1], ARGV[2])
redis.call('HDEL', KEYS[1], ARGV[2])
if not deadline or tonumber(deadline) <= tonumber(ARGV[1]) then return 'gone' end
local floor = redis.call('GET', KEYS[2])
if floor and tonumber(floor) > tonumber(ARGV[3]) then return 'outdated' end
redis.call('HDEL', KEYS[1], 'wrong')
if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('PEXPIRE', KEYS[1], 600000) end
if ARGV[4] ~= '0' then redis.call('SET', KEYS[3], ARGV[3], 'PX', ARGV[4]) end
return 'right'
`;

/** KEYS floor, attempts; ARGV version, livesMs, forget (1: wrong results and blocks as well). */
export const raiseFloor = `
local floor = redis.call('GET', KEYS[1])
if not floor or tonumber(floor) < tonumber(ARGV[1]) then floor = ARGV[1] end
redis.call('SET', KEYS[1], floor, 'PX', ARGV[2])
if ARGV[3] == '1' then redis.call('DEL', KEYS[2]) end
`;

/** KEYS jti, floor; ARGV what spends it. → unknown · outdated · used · first:<version> · again:<version> */
export const consume = `
local found = redis.call('MGET', KEYS[1], KEYS[2])
local token, floor = found[1], found[2]
if not token then return 'unknown' end
local colon = string.find(token, ':', 1, true)
local version = colon and string.sub(token, 1, colon - 1) or token
if floor and tonumber(floor) > tonumber(version) then return 'outdated' end
if not colon then
  redis.call('SET', KEYS[1], token .. ':' .. ARGV[1], 'KEEPTTL')
  return 'first:' .. version
end
if ARGV[1] ~= '-' and string.sub(token, colon + 1) == ARGV[1] then return 'again:' .. version end
return 'used'
`;
