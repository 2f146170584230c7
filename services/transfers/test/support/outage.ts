import { Redis } from 'ioredis';
import type { SignedInUser, TransfersHarness } from './harness.ts';

type Answer = { status: number; code: string; inTime: true | number };
/** 503 within 2 s. */
export const refused: Answer = { status: 503, code: 'service_unavailable', inTime: true };

export async function timed(call: Promise<{ status: number; body: { code: string } }>): Promise<Answer> {
  const startedAt = performance.now();
  const { status, body } = await call;
  const ms = performance.now() - startedAt;
  return { status, code: body.code, inTime: ms < 2000 || ms };
}

/** Ana and Rui with an account each, and money in Ana's. */
export async function twoAccounts(harness: TransfersHarness): Promise<{ ana: SignedInUser; from: number; to: number }> {
  const [ana, rui] = [await harness.customer('Ana'), await harness.customer('Rui')];
  const [from, to] = [(await harness.openAccount(ana)).id, (await harness.openAccount(rui)).id];
  await harness.deposit(from, '1000.00');
  return { ana, from, to };
}

/** Deletes everything in this Redis. */
export async function flushRedis(url: string): Promise<void> {
  const redis = new Redis(url);
  await redis.flushall();
  redis.disconnect();
}
