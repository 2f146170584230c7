import { randomUUID } from 'node:crypto';
import type { Role } from '@comanda/contracts/endpoint';
import type { Message } from '@comanda/shared/messaging/publisher';
import type { Connection } from 'mongoose';
import type { Status } from '../people/user.ts';
import { usuariosOf } from '../people/usuarios-store.ts';
import type { PinDocument, UsuarioDocument } from '../people/usuarios-store.ts';
import type { Pin } from './pin.ts';

/** What a user's consent rests on, as stored at one moment. */
export type PinHolder = {
  userId: number;
  role: Role;
  status: Status;
  pinVersion: number;
  pin: Pin | null;
  /** A reset is approved until then. */
  resetUntil: number | null;
};
type NewPin = { hash: string; pepperId: string; now: number };
type Write = { message: Message };
type Options = {
  connection: Connection;
  /** Told of every write with events in it. */
  onWritten: (documentId: unknown, messages: readonly Message[]) => void;
};
export type PinStore = ReturnType<typeof createPinStore>;

/** PINs stand in their users' documents, each write with the event that tells of it. */
export function createPinStore({ connection, onWritten }: Options) {
  const users = usuariosOf(connection);

  /** One atomic write; null where `filter` did not hold any more. */
  async function write(
    filter: Record<string, unknown>,
    update: { $set?: object; $inc?: object },
    message: Message,
  ): Promise<PinHolder | null> {
    const withEvent = { ...update, $push: { outbox: message } };
    const written = await users.findOneAndUpdate(filter, withEvent, { returnDocument: 'after' }).lean();
    if (!written) return null;
    const { _id: documentId, outbox } = written;
    onWritten(documentId, outbox);
    return toHolder(written);
  }

  return {
    byUser: async (userId: number): Promise<PinHolder | null> => {
      const found = await users.findOne({ usuarioID: userId }).lean();
      return found && toHolder(found);
    },
    /** Null where another write came first. */
    create: (seen: PinHolder, pin: NewPin, { message }: Write): Promise<PinHolder | null> =>
      write(
        { usuarioID: seen.userId, status: 'active', pinVersion: seen.pinVersion, pin: null },
        { $set: { pin: toDocument(pin) }, $inc: { pinVersion: 1 } },
        message,
      ),
    /** Null where another change came first. */
    replace: (seen: PinHolder, pin: NewPin, { message }: Write): Promise<PinHolder | null> =>
      write(
        { usuarioID: seen.userId, status: 'active', pinVersion: seen.pinVersion, 'pin.id': seen.pin?.id },
        { $set: { pin: toDocument(pin), pinReset: null }, $inc: { pinVersion: 1 } },
        message,
      ),
    /** Uses the approval up with the write. Null where it is gone, or another change came first. */
    reset: (seen: PinHolder, pin: NewPin, { message }: Write): Promise<PinHolder | null> =>
      write(
        {
          usuarioID: seen.userId,
          status: 'active',
          pinVersion: seen.pinVersion,
          'pinReset.expiresAt': { $gt: new Date(pin.now) },
        },
        { $set: { pin: toDocument(pin), pinReset: null }, $inc: { pinVersion: 1 } },
        message,
      ),
    /** Writes a block beside the PIN that it is on, once. */
    block: (
      { userId, pinId }: { userId: number; pinId: string },
      block: { until: number; now: number; wrong: number },
      { message }: Write,
    ): Promise<PinHolder | null> => {
      const until = new Date(block.until);
      return write(
        { usuarioID: userId, 'pin.id': pinId, 'pin.blockedUntil': { $ne: until } },
        {
          $set: { 'pin.blockedUntil': until, 'pin.blockedAt': new Date(block.now) },
          $inc: { 'pin.failures': block.wrong },
        },
        message,
      );
    },
    /** After a right PIN: no block behind it any more, and the hash with the current pepper where it has another. */
    settle: async (seen: PinHolder, rehashed: { hash: string; pepperId: string } | null): Promise<void> => {
      const { userId, pin } = seen;
      if (!pin) return;
      const calm = { 'pin.blockedUntil': null, 'pin.blockedAt': null, 'pin.failures': 0 };
      const hash = rehashed && { 'pin.hash': rehashed.hash, 'pin.pepperId': rehashed.pepperId };
      // Not where a block was written since.
      const blockedUntil = pin.blockedUntil === null ? null : new Date(pin.blockedUntil);
      await users.updateOne(
        { usuarioID: userId, 'pin.id': pin.id, 'pin.blockedUntil': blockedUntil },
        { $set: { ...calm, ...hash } },
      );
    },
  };
}

const toDocument = ({ hash, pepperId, now }: NewPin): PinDocument => ({
  id: randomUUID(),
  hash,
  pepperId,
  createdAt: new Date(now),
  blockedUntil: null,
  blockedAt: null,
  failures: 0,
});
const toPin = (pin: PinDocument): Pin => ({
  ...pin,
  createdAt: pin.createdAt.getTime(),
  blockedUntil: pin.blockedUntil?.getTime() ?? null,
  blockedAt: pin.blockedAt?.getTime() ?? null,
});
const toHolder = (document: UsuarioDocument): PinHolder => ({
  userId: document.usuarioID,
  role: document.papel,
  status: document.status,
  pinVersion: document.pinVersion,
  pin: document.pin && toPin(document.pin),
  resetUntil: document.pinReset?.expiresAt.getTime() ?? null,
});
