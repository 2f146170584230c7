import type { Role } from '@comanda/contracts/endpoint';
import type { PasswordSetByOther, Status } from '../users/user.ts';
import { toPasswordSetByOther, type PinDocument, type UserDocument } from '../users/user-document.ts';
import type { Pin } from './pin.ts';

/** A user's PIN and everything that a PIN check depends on, read at the same time. */
export type PinHolder = {
  userId: number;
  role: Role;
  status: Status;
  pinVersion: number;
  pin: Pin | null;
  /** Until when a manager's approval allows a PIN reset, in milliseconds since the epoch; null without an approval. */
  resetUntil: number | null;
  passwordSetByOther: PasswordSetByOther | null;
  wrongPasswords: number;
  sessionEpoch: number;
};

const toPin = (document: PinDocument): Pin => ({
  id: document.id,
  hash: document.hash,
  pepperId: document.pepper_id,
  isBoundToUser: document.is_bound_to_user ?? false,
  createdAt: document.created_at.getTime(),
  blockedUntil: document.blocked_until?.getTime() ?? null,
  blockedAt: document.blocked_at?.getTime() ?? null,
  failures: document.failures,
  wrong: document.wrong,
  guesses: document.guesses,
});

export const toPinHolder = (document: UserDocument): PinHolder => ({
  userId: document.usuarioID,
  role: document.papel,
  status: document.status,
  pinVersion: document.pin_version,
  pin: document.pin && toPin(document.pin),
  resetUntil: document.pin_reset?.expires_at.getTime() ?? null,
  passwordSetByOther: toPasswordSetByOther(document.password_set_by_other),
  wrongPasswords: document.wrong_passwords,
  sessionEpoch: document.session_epoch,
});
