import { ipKeyGenerator } from 'express-rate-limit';
import { problem } from '@comanda/shared/contracts/problems';
import type { Step } from '../passage.ts';

const windowMs = 60_000;
type Window = { count: number; endsAt: number };

/**
 * Counts each request against its user, or against its address (IPv6: the /56) where no valid token came: so many in a
 * minute that begins with the first. In this process alone, and without a timer or a promise: this is on every
 * request's way. 429 `rate_limited` with `Retry-After`; `RateLimit` headers [IETF draft] on every answer.
 */
export function createGeneralLimit(limits: { user: number; address: number }): Step {
  const hit = createWindows();
  const policies = { user: policy(limits.user), address: policy(limits.address) };
  return (_req, res, next) => {
    const { caller, client } = res.locals;
    const kind = caller ? 'user' : 'address';
    const { count, endsAt } = hit(caller ? caller.userId : ipKeyGenerator(client.address));
    const seconds = Math.max(1, Math.ceil((endsAt - Date.now()) / 1000));
    res.setHeader('RateLimit-Policy', policies[kind]);
    res.setHeader('RateLimit', `"general"; r=${Math.max(0, limits[kind] - count)}; t=${seconds}`);
    if (count > limits[kind]) throw problem('rate_limited', {}, { 'Retry-After': String(seconds) });
    next();
  };
}

const policy = (limit: number): string => `"general"; q=${limit}; w=${windowMs / 1000}`;

/** Counters by key, of which those that were not asked for in a whole window are forgotten. */
function createWindows(): (key: string | number) => Readonly<Window> {
  let recent = new Map<string | number, Window>();
  let older = new Map<string | number, Window>();
  let turnsAt = Date.now() + windowMs;
  return (key) => {
    const now = Date.now();
    if (now >= turnsAt) {
      older = now >= turnsAt + windowMs ? new Map() : recent;
      recent = new Map();
      turnsAt = now + windowMs;
    }
    let window = recent.get(key) ?? older.get(key);
    if (!window || window.endsAt <= now) window = { count: 0, endsAt: now + windowMs };
    recent.set(key, window);
    window.count++;
    return window;
  };
}
