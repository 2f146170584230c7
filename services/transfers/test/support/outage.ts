import { Redis } from 'ioredis';
import type { SignedInUser, TransfersHarness } from './harness.ts';

export const unavailable = '503 service_unavailable';

/** Opens an account with money for Ana, and an empty one for Rui. */
export async function twoAccounts(harness: TransfersHarness): Promise<{ ana: SignedInUser; from: number; to: number }> {
  const [ana, rui] = [await harness.customer('Ana'), await harness.customer('Rui')];
  const [from, to] = [(await harness.openAccount(ana)).id, (await harness.openAccount(rui)).id];
  await harness.deposit(from, '1000.00');
  return { ana, from, to };
}

export async function flushRedis(url: string): Promise<void> {
  const redis = new Redis(url);
  await redis.flushall();
  redis.disconnect();
}
