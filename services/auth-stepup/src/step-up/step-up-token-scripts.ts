/**
 * Spends a step-up token in one atomic step. The token's value is its PIN version until the token is spent, and `<PIN
 * version>:<call>` afterwards. A call that may retry passes its fingerprint; a call that may not retry passes '-'. While calls
 * are stopped, only calls that have already spent their token succeed.
 *
 * KEYS stepUpToken, minPinVersion; ARGV call, 'stopped' or 'open'. Returns 'unknown', 'outdated', 'used', 'stopped', 'first:<PIN
 * version>' or 'again:<PIN version>'.
 */
export const spend = `
local found = redis.call('MGET', KEYS[1], KEYS[2])
local token, minVersion = found[1], found[2]
if not token then return 'unknown' end
local colon = string.find(token, ':', 1, true)
local version = colon and string.sub(token, 1, colon - 1) or token
if minVersion and tonumber(minVersion) > tonumber(version) then return 'outdated' end
if not colon then
  if ARGV[2] == 'stopped' then return 'stopped' end
  redis.call('SET', KEYS[1], token .. ':' .. ARGV[1], 'KEEPTTL')
  return 'first:' .. version
end
if ARGV[1] ~= '-' and string.sub(token, colon + 1) == ARGV[1] then return 'again:' .. version end
return 'used'
`;
