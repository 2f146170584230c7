import type { Role } from '@comanda/contracts/endpoint';
import { problem, type Problem } from '@comanda/contracts/problem';
import { resetDelayHours } from '@comanda/contracts/rules';
import type { User as UserResponse } from '@comanda/contracts/users';

export const statuses = ['active', 'disabled'] as const;
export type Status = (typeof statuses)[number];

/** Times are milliseconds since the epoch. */
export type User = {
  id: number;
  name: string;
  email: string;
  passwordHash: string;
  /** In a row, since the last right one, the last right PIN, or the last new password. */
  wrongPasswords: number;
  role: Role;
  status: Status;
  mustChangePassword: boolean;
  /** The last time that somebody else set this user's password. The user's own later change does not delete it. */
  passwordSetByOther: PasswordSetByOther | null;
  /** Sessions of earlier epochs are over: one increment ends them all. */
  sessionEpoch: number;
  createdAt: number;
  /** Incremented with every new PIN, and to void all earlier step-up tokens. */
  pinVersion: number;
};
/** Who a session belongs to: a user or a guest. */
export type SessionHolder = Pick<User, 'id' | 'name' | 'role' | 'mustChangePassword' | 'sessionEpoch'>;
/** `replacedOwn`: the user had chosen a password before, so that setting another one could be an attack on them. */
export type PasswordSetByOther = { at: number; by: number; replacedOwn: boolean };
export type NewUser = Pick<User, 'name' | 'email' | 'passwordHash' | 'role' | 'createdAt'> & {
  /** The manager who adds the user; null for users who register themselves. */
  addedBy: number | null;
};
export type UserChange = Partial<Pick<User, 'role' | 'status' | 'passwordHash' | 'mustChangePassword'>> & {
  passwordSetByOther?: PasswordSetByOther;
};

/** A password that somebody else has set must be changed before anything else. */
export const createUser = ({ addedBy, ...user }: NewUser, id: number): User => ({
  ...user,
  id,
  status: 'active',
  wrongPasswords: 0,
  mustChangePassword: addedBy !== null,
  passwordSetByOther: addedBy === null ? null : { at: user.createdAt, by: addedBy, replacedOwn: false },
  sessionEpoch: 1,
  pinVersion: 0,
});

/** Whether the user has ever chosen a password. */
export const hasChosenPassword = (user: Pick<User, 'mustChangePassword' | 'passwordSetByOther'>): boolean =>
  !user.mustChangePassword || user.passwordSetByOther === null || user.passwordSetByOther.replacedOwn;

const foreignPasswordWaitMs = resetDelayHours * 3600_000;
/** For this time after somebody else has set the password, the PIN cannot be reset. */
export const isTooSoonToResetPin = (set: PasswordSetByOther | null, now: number): boolean =>
  set !== null && now - set.at < foreignPasswordWaitMs;
/** A first PIN must wait as long, unless the user never had a password of their own that was replaced. */
export const isTooSoonToCreatePin = (set: PasswordSetByOther | null, now: number): boolean =>
  set !== null && set.replacedOwn && isTooSoonToResetPin(set, now);

/** The user was disabled after the access token was issued. */
export const userNotActive = (): Problem => problem('invalid_token', { detail: 'The user is not active any more.' });

/** E-mail addresses are compared without case. */
export const normalizeEmail = (email: string): string => email.trim().toLowerCase();

export const toUserResponse = (user: User): UserResponse => ({
  id: user.id,
  name: user.name,
  email: user.email,
  role: user.role,
  status: user.status,
  must_change_password: user.mustChangePassword,
  created_at: new Date(user.createdAt).toISOString(),
});
