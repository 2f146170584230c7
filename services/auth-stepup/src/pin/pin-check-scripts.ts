/**
 * Lua scripts for PIN checks. Redis runs each one atomically. Callers pass all times, in milliseconds since the epoch. Expiry in
 * Redis only removes old keys; no decision depends on it.
 *
 * The key `attempts` is a hash. `wrong` is the number of wrong results. `until` is the end of the block, and `pin` the id of the
 * blocked PIN. Each other field is the id of a running check, and its value is that check's deadline. If `wrong` is missing,
 * Redis may have lost the results, so counting starts from the number in MongoDB.
 */

/**
 * Reserves a slot for a check. KEYS attempts; ARGV now, checkId, deadline, maxAttempts. Returns {'blocked', until, wrong, pin},
 * {'busy'}, or {'reserved', number of other running checks, number of wrong results or false}.
 */
export const reserve = `
local now = tonumber(ARGV[1])
local fields = redis.call('HGETALL', KEYS[1])
local wrong, blocked, pin, running = false, 0, '', 0
for i = 1, #fields, 2 do
  local field, value = fields[i], fields[i + 1]
  if field == 'wrong' then wrong = tonumber(value)
  elseif field == 'until' then blocked = tonumber(value)
  elseif field == 'pin' then pin = value
  elseif tonumber(value) > now then running = running + 1
  else redis.call('HDEL', KEYS[1], field) end
end
if blocked > now then return { 'blocked', blocked, wrong, pin } end
if blocked > 0 then
  redis.call('HDEL', KEYS[1], 'until', 'pin')
  redis.call('HSET', KEYS[1], 'wrong', 0)
  wrong = 0
end
if (wrong or 0) + running >= tonumber(ARGV[4]) then return { 'busy' } end
redis.call('HSET', KEYS[1], ARGV[2], ARGV[3])
if not wrong or wrong == 0 then redis.call('PEXPIRE', KEYS[1], 600000) end
return { 'reserved', running, wrong }
`;

/**
 * Counts a wrong result. KEYS attempts; ARGV now, checkId, attempts until the block, until, pin, expiryMs, stored wrong results.
 * Returns {'expired'}, {'wrong', remaining attempts} or {'blocked', wrong}. Until the PIN is blocked, the count does not expire;
 * a block expires after expiryMs.
 */
export const settleWrong = `
local deadline = redis.call('HGET', KEYS[1], ARGV[2])
redis.call('HDEL', KEYS[1], ARGV[2])
if not deadline or tonumber(deadline) <= tonumber(ARGV[1]) then return { 'expired' } end
redis.call('HSETNX', KEYS[1], 'wrong', ARGV[7])
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

/**
 * Records a right PIN: resets the count and stores the token in one step. KEYS attempts, minPinVersion, stepUpToken; ARGV now,
 * checkId, pinVersion, lifetime of the token in ms (0: no token), stored wrong results. Returns {'expired'}, {'outdated',
 * minPinVersion} or {'right', cleared wrong results}. The zero count is stored for longer than any check runs, because a check
 * that started earlier has read an old count.
 */
export const settleRight = `
local deadline = redis.call('HGET', KEYS[1], ARGV[2])
redis.call('HDEL', KEYS[1], ARGV[2])
if not deadline or tonumber(deadline) <= tonumber(ARGV[1]) then return { 'expired' } end
local minVersion = redis.call('GET', KEYS[2])
if minVersion and tonumber(minVersion) > tonumber(ARGV[3]) then return { 'outdated', tonumber(minVersion) } end
local wrong = redis.call('HGET', KEYS[1], 'wrong') or ARGV[5]
redis.call('HSET', KEYS[1], 'wrong', 0)
redis.call('PEXPIRE', KEYS[1], 600000)
if ARGV[4] ~= '0' then redis.call('SET', KEYS[3], ARGV[3], 'PX', ARGV[4]) end
return { 'right', tonumber(wrong) }
`;

/**
 * Raises the minimum PIN version, and never lowers it. KEYS minPinVersion, attempts; ARGV version, expiryMs, '1' to also delete
 * the attempts.
 */
export const raiseMinPinVersion = `
local minVersion = redis.call('GET', KEYS[1])
if not minVersion or tonumber(minVersion) < tonumber(ARGV[1]) then minVersion = ARGV[1] end
redis.call('SET', KEYS[1], minVersion, 'PX', ARGV[2])
if ARGV[3] == '1' then redis.call('DEL', KEYS[2]) end
`;
