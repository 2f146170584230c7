import type { Role } from '@comanda/contracts/endpoint';
import type { WithOutbox } from '@comanda/shared/messaging/outbox-store';
import type { PasswordSetByOther, Status, User, UserChange } from './user.ts';

/** A PIN in the document of its user. */
export type PinDocument = {
  id: string;
  hash: string;
  pepper_id: string;
  created_at: Date;
  blocked_until: Date | null;
  blocked_at: Date | null;
  failures: number;
  wrong: number;
  guesses: number;
};

/** A document of `usuarios`. The data dictionary fixes the Portuguese names and `email`. */
export type UserDocument = WithOutbox & {
  usuarioID: number;
  nome: string;
  email: string;
  senhaHash: string;
  papel: Role;
  status: Status;
  must_change_password: boolean;
  password_set_by_other: { at: Date; by: number; replaced_own: boolean } | null;
  session_epoch: number;
  created_at: Date;
  pin_version: number;
  pin: PinDocument | null;
  /** A manager's approval of a PIN reset; null after the reset. */
  pin_reset: { expires_at: Date } | null;
  /** Rewritten by each change that this manager makes to users, so that it conflicts with a change of the manager. */
  manager_lock: string | null;
};

export const toNewUserDocument = (user: User): UserDocument => ({
  usuarioID: user.id,
  nome: user.name,
  email: user.email,
  senhaHash: user.passwordHash,
  papel: user.role,
  status: user.status,
  must_change_password: user.mustChangePassword,
  password_set_by_other: user.passwordSetByOther && toStoredPasswordSetByOther(user.passwordSetByOther),
  session_epoch: user.sessionEpoch,
  created_at: new Date(user.createdAt),
  pin_version: user.pinVersion,
  pin: null,
  pin_reset: null,
  manager_lock: null,
  outbox: [],
});

const toStoredPasswordSetByOther = ({ at, by, replacedOwn }: PasswordSetByOther) => ({
  at: new Date(at),
  by,
  replaced_own: replacedOwn,
});
export const toPasswordSetByOther = (stored: UserDocument['password_set_by_other']): PasswordSetByOther | null =>
  stored && { at: stored.at.getTime(), by: stored.by, replacedOwn: stored.replaced_own };

/** The stored fields that `change` sets. */
export function toChangedFields(change: UserChange): Partial<UserDocument> {
  const { role, status, passwordHash, mustChangePassword, passwordSetByOther } = change;
  return {
    ...(role !== undefined && { papel: role }),
    ...(status !== undefined && { status }),
    ...(passwordHash !== undefined && { senhaHash: passwordHash }),
    ...(mustChangePassword !== undefined && { must_change_password: mustChangePassword }),
    ...(passwordSetByOther && { password_set_by_other: toStoredPasswordSetByOther(passwordSetByOther) }),
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
  passwordSetByOther: toPasswordSetByOther(document.password_set_by_other),
  sessionEpoch: document.session_epoch,
  createdAt: document.created_at.getTime(),
  pinVersion: document.pin_version,
});
