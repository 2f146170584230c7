import type { Message } from '@comanda/shared/messaging/publisher';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { RecordSecurityEvent } from '../security-log/record-security-event.ts';
import { pinBlockedEvent } from './pin-events.ts';
import type { PinRequester, PinRules } from './pin-requester.ts';
import type { PinStore } from './pin-store.ts';
import { attemptsUntilBlock, blockMs } from './pin.ts';

type StoreBlockDeps = {
  pins: PinStore;
  rules: PinRules;
  publishNow: (documentId: unknown, messages: readonly Message[]) => void;
  recordSecurityEvent: RecordSecurityEvent;
  clock: Clock;
};
/** A block to store. `counted`: how many of the wrong results MongoDB has already counted; all but the last by default. */
export type Block = { until: number; wrong: number; pinId: string; counted?: number };

/**
 * Stores a block from Redis, with its event, in the user's document too, so that it survives if Redis loses its data. Stores each
 * block only once. Returns when the block ends, or null if only a reset ends it.
 */
export async function storeBlock(
  { pins, rules, publishNow, recordSecurityEvent, clock }: StoreBlockDeps,
  { caller: { userId }, origin, traceparent }: PinRequester,
  { until, wrong, pinId, counted = wrong - 1 }: Block,
): Promise<number | null> {
  const holder = await pins.findByUser(userId);
  if (holder?.pin?.id !== pinId) return until;
  const isStored = holder.pin.blockedUntil === until;
  const failures = isStored ? holder.pin.failures : holder.pin.failures + wrong;
  const end = attemptsUntilBlock({ failures }, rules.maxLifetimeFailures) === 0 ? null : until;
  if (isStored) return end;

  const event = pinBlockedEvent({ userId, version: holder.pinVersion, now: clock(), traceparent }, end);
  const stored = await pins.block({ userId, pinId }, { until, now: until - blockMs, wrong, counted }, event);
  if (!stored) return end;
  publishNow(stored.documentId, stored.outbox);
  await recordSecurityEvent({ userId, type: 'transaction_password_blocked', origin });
  return end;
}
