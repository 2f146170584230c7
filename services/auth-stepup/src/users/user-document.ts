import type { Role } from '@comanda/contracts/endpoint';
import type { WithOutbox } from '@comanda/shared/messaging/outbox-store';
import type { Status, User, UserChange } from './user.ts';

/** A PIN in the document of its user. */
export type PinDocument = {
  id: string;
  hash: string;
  pepper_id: string;
  created_at: Date;
  blocked_until: Date | null;
  blocked_at: Date | null;
  failures: number;
};

/** A document of `usuarios`. The data dictionary fixes the Portuguese names and `email`. */
export type UserDocument = WithOutbox & {
  usuarioID: number;
  nome: string;
  email: string | null;
  senhaHash: string | null;
  papel: Role;
  status: Status;
  must_change_password: boolean;
  password_set_by_other_at: Date | null;
  session_epoch: number;
  created_at: Date;
  pin_version: number;
  pin: PinDocument | null;
  /** A manager's approval of a PIN reset; null after the reset. */
  pin_reset: { expires_at: Date } | null;
};

export const toNewUserDocument = (user: User): UserDocument => ({
  usuarioID: user.id,
  nome: user.name,
  email: user.email,
  senhaHash: user.passwordHash,
  papel: user.role,
  status: user.status,
  must_change_password: user.mustChangePassword,
  password_set_by_other_at: user.passwordSetByOtherAt === null ? null : new Date(user.passwordSetByOtherAt),
  session_epoch: user.sessionEpoch,
  created_at: new Date(user.createdAt),
  pin_version: user.pinVersion,
  pin: null,
  pin_reset: null,
  outbox: [],
});

/** The stored fields that `change` sets. */
export function toChangedFields(change: UserChange): Partial<UserDocument> {
  const { role, status, passwordHash, mustChangePassword, passwordSetByOtherAt } = change;
  return {
    ...(role !== undefined && { papel: role }),
    ...(status !== undefined && { status }),
    ...(passwordHash !== undefined && { senhaHash: passwordHash }),
    ...(mustChangePassword !== undefined && { must_change_password: mustChangePassword }),
    ...(passwordSetByOtherAt !== undefined && { password_set_by_other_at: new Date(passwordSetByOtherAt) }),
  };
}

export const toUser = (document: UserDocument): User => ({
  id: document.usuarioID,
  name: document.nome,
  email: document.email,
  passwordHash: document.senhaHash,
  role: document.papel,
  status: document.status,
  mustChangePassword: document.must_change_password,
  passwordSetByOtherAt: document.password_set_by_other_at?.getTime() ?? null,
  sessionEpoch: document.session_epoch,
  createdAt: document.created_at.getTime(),
  pinVersion: document.pin_version,
});
