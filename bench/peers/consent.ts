// Spends step-up tokens, like auth-stepup. Needs REDIS_URL, REDIS_PREFIX and JWKS_URL.
import express from 'express';
import { Redis } from 'ioredis';
import { env, fetchKeys, listen, requireAccessToken, verifyToken } from './tokens.ts';

const keys = await fetchKeys(env('JWKS_URL'));
const redis = new Redis(env('REDIS_URL'), { keyPrefix: env('REDIS_PREFIX'), enableOfflineQueue: true });
const app = express().disable('x-powered-by');

app.post('/consume', requireAccessToken(keys), express.json(), async (req, res) => {
  const { token, endpointKey, fingerprint } = req.body as { token: string; endpointKey: string; fingerprint: string };
  let claims;
  try {
    claims = verifyToken(keys, token, 'comanda:step-up');
  } catch {
    return res.status(401).json({ code: 'step_up_invalid' });
  }
  const { sub, jti = '', endpoint_key: key } = claims;
  if (Number(sub) !== res.locals['userId'] || key !== endpointKey)
    return res.status(401).json({ code: 'step_up_wrong_endpoint' });
  // A retry of the same request may spend its token again.
  const pinVersion = await redis.getdel(`jti:{${sub}}:${jti}`);
  if (pinVersion !== null) await redis.set(`spent:{${sub}}:${jti}`, `${pinVersion}:${fingerprint}`, 'PX', 125_000);
  const spent = pinVersion === null ? await redis.get(`spent:{${sub}}:${jti}`) : `${pinVersion}:${fingerprint}`;
  if (!spent?.endsWith(`:${fingerprint}`)) return res.status(401).json({ code: 'step_up_used' });
  return res.json({ jti, pin_version: Number.parseInt(spent, 10), first: pinVersion !== null });
});
await listen(app);
