import { randomUUID } from 'node:crypto';
import type { Message } from '@comanda/shared/messaging/publisher';
import type { Session } from '@comanda/shared/mongo/transactions';
import type { Connection } from 'mongoose';
import { collectionOf } from '@comanda/shared/mongo/collections';
import { userSchema, type PinDocument } from '../users/user-document.ts';
import { toPinHolder, type PinHolder } from './pin-document.ts';
import type { HashedPin } from './pin-hasher.ts';
import type { Pin } from './pin.ts';

type NewPin = HashedPin & { now: number };
/** The result of a write: the PIN, and the document's events that still need to be published. */
export type WrittenPin = { holder: PinHolder; documentId: unknown; outbox: readonly Message[] };
export type PinStore = ReturnType<typeof createPinStore>;

/** Creates the store for PINs. A PIN is part of its user's document, and each write adds its event to the same document. */
export function createPinStore(connection: Connection) {
  const users = collectionOf(connection, userSchema);

  /** Writes a change and its event atomically. Returns null if no document matches. */
  async function update(
    filter: Record<string, unknown>,
    change: { $set?: object; $inc?: Record<string, number> },
    event: Message,
  ): Promise<WrittenPin | null> {
    const withEvent = { ...change, $push: { outbox: event } };
    const document = await users.findOneAndUpdate(filter, withEvent, { returnDocument: 'after' });
    if (!document) return null;
    const { _id: documentId, outbox } = document;
    return { holder: toPinHolder(document), documentId, outbox };
  }

  return {
    findByUser: async (userId: number): Promise<PinHolder | null> => {
      const document = await users.findOne({ usuarioID: userId });
      return document && toPinHolder(document);
    },
    /** Stores a first PIN. Returns null if another write came first, including a write that ended the sessions. */
    insert: (seen: PinHolder, pin: NewPin, event: Message): Promise<WrittenPin | null> =>
      update(
        { ...unchangedSince(seen), pin: null },
        { $set: { pin: toNewPinDocument(pin) }, $inc: { pin_version: 1 } },
        event,
      ),
    /** Replaces the PIN. Returns null in the same cases as `insert`. */
    replace: (seen: PinHolder, pin: NewPin, event: Message): Promise<WrittenPin | null> =>
      update(
        { ...unchangedSince(seen), 'pin.id': seen.pin?.id },
        { $set: { pin: toNewPinDocument(pin), pin_reset: null }, $inc: { pin_version: 1 } },
        event,
      ),
    /** Uses up the approval and sets the PIN. Returns null if the approval is no longer valid or another write came first. */
    reset: (seen: PinHolder, pin: NewPin, event: Message): Promise<WrittenPin | null> =>
      update(
        { ...unchangedSince(seen), 'pin_reset.expires_at': { $gt: new Date(pin.now) } },
        { $set: { pin: toNewPinDocument(pin), pin_reset: null }, $inc: { pin_version: 1 } },
        event,
      ),
    /** Raises the stored version of an unchanged PIN to the minimum version in Redis. */
    catchUp: async ({ userId, pinVersion, pin }: PinHolder, minPinVersion: number): Promise<void> => {
      const filter = { usuarioID: userId, pin_version: pinVersion, 'pin.id': pin?.id };
      await users.updateOne(filter, { $set: { pin_version: minPinVersion } });
    },
    /** Allows a PIN reset until `until`, in the transaction that stores the approval. */
    allowReset: async (userId: number, until: number, session: Session): Promise<void> => {
      const change = { $set: { pin_reset: { expires_at: new Date(until) } } };
      await users.updateOne({ usuarioID: userId }, change, { session });
    },
    /**
     * Stores a block once. `wrong` results caused it, of which the stored count already includes `counted`. Returns null if the
     * block is already stored or the user has a new PIN.
     */
    block: (
      { userId, pinId }: { userId: number; pinId: string },
      block: { until: number; now: number; wrong: number; counted: number },
      event: Message,
    ): Promise<WrittenPin | null> => {
      const until = new Date(block.until);
      return update(
        { usuarioID: userId, 'pin.id': pinId, 'pin.blocked_until': { $ne: until } },
        {
          $set: { 'pin.blocked_until': until, 'pin.blocked_at': new Date(block.now), 'pin.guesses': 0 },
          $inc: { 'pin.failures': block.wrong, 'pin.wrong': -block.counted },
        },
        event,
      );
    },
    /**
     * Counts a wrong result that did not block the PIN. `inRedis` is 1 if Redis has counted the result too, otherwise 0. Returns
     * the new counts, or null if the user has a new PIN.
     */
    countWrong: async (
      { userId, pinId }: { userId: number; pinId: string },
      inRedis: 0 | 1,
    ): Promise<Pick<Pin, 'wrong' | 'guesses'> | null> => {
      const change = { $inc: { 'pin.wrong': inRedis, 'pin.guesses': 1 } };
      const filter = { usuarioID: userId, 'pin.id': pinId };
      const document = await users.findOneAndUpdate(filter, change, { returnDocument: 'after' });
      return document && toPinHolder(document).pin;
    },
    /**
     * Clears the block, the failures and `wrong` wrong results after a right PIN, and stores `rehashed` if given. The wrong
     * results are subtracted, so that the results of concurrent checks remain.
     */
    clearFailures: async (
      seen: PinHolder,
      { wrong, rehashed }: { wrong: number; rehashed: HashedPin | null },
    ): Promise<void> => {
      const { userId, pin } = seen;
      if (!pin) return;
      const cleared = { 'pin.blocked_until': null, 'pin.blocked_at': null, 'pin.failures': 0, 'pin.guesses': 0 };
      const hash = rehashed && {
        'pin.hash': rehashed.hash,
        'pin.pepper_id': rehashed.pepperId,
        'pin.is_bound_to_user': rehashed.isBoundToUser,
      };
      // A block stored after `seen` was read is not cleared. If another right PIN has already cleared the block in `seen`, this
      // right PIN also clears the wrong results since then, as Redis does.
      const blockedUntil = pin.blockedUntil === null ? null : new Date(pin.blockedUntil);
      await users.updateOne(
        { usuarioID: userId, 'pin.id': pin.id, 'pin.blocked_until': { $in: [blockedUntil, null] } },
        { $set: { ...cleared, ...hash }, $inc: { 'pin.wrong': -wrong } },
      );
    },
  };
}

/**
 * Returns a filter that matches only an unchanged PIN and session epoch, so that no session can write after all of the user's
 * sessions have ended.
 */
const unchangedSince = ({ userId, pinVersion, sessionEpoch }: PinHolder) => ({
  usuarioID: userId,
  status: 'active' as const,
  pin_version: pinVersion,
  session_epoch: sessionEpoch,
});

const toNewPinDocument = ({ hash, pepperId, isBoundToUser, now }: NewPin): PinDocument => ({
  id: randomUUID(),
  hash,
  pepper_id: pepperId,
  is_bound_to_user: isBoundToUser,
  created_at: new Date(now),
  blocked_until: null,
  blocked_at: null,
  failures: 0,
  wrong: 0,
  guesses: 0,
});
