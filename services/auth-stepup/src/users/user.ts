import type { Role } from '@comanda/contracts/endpoint';
import { problem, type Problem } from '@comanda/contracts/problem';
import { invitationHours, resetDelayHours } from '@comanda/contracts/rules';
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
  /** Until it is accepted, of somebody who was invited. */
  invitation: Invitation | null;
  /** Sessions of earlier epochs are over: one increment ends them all. */
  sessionEpoch: number;
  createdAt: number;
  /** Of the tablet PIN that the user has set last; null without one. */
  tabletPinId: string | null;
  /** Incremented with every new PIN, and to void all earlier step-up tokens. */
  pinVersion: number;
};
/** Who a session belongs to: a user or a guest. */
export type SessionHolder = Pick<User, 'id' | 'name' | 'role' | 'mustChangePassword' | 'sessionEpoch'>;
/** `replacedOwn`: the user had chosen a password before, so that setting another one could be an attack on them. */
export type PasswordSetByOther = { at: number; by: number; replacedOwn: boolean };
/** The hash of the link's secret; null if the invitation was withdrawn. `by`: the manager who invited. */
export type Invitation = { hash: string | null; by: number; endsAt: number };
export type NewUser = Pick<User, 'name' | 'email' | 'passwordHash' | 'role' | 'createdAt'> & {
  /** The manager who adds the user; null for users who register themselves. */
  addedBy: number | null;
  invitation?: Invitation;
};
export type UserChange = Partial<
  Pick<User, 'name' | 'role' | 'status' | 'passwordHash' | 'mustChangePassword' | 'invitation'>
> & {
  passwordSetByOther?: PasswordSetByOther;
};

/** A password that somebody else has set must be changed before anything else. Whoever was invited has none yet. */
export const createUser = ({ addedBy, invitation, ...user }: NewUser, id: number): User => ({
  ...user,
  id,
  status: invitation ? 'disabled' : 'active',
  invitation: invitation ?? null,
  wrongPasswords: 0,
  mustChangePassword: addedBy !== null,
  passwordSetByOther: addedBy === null ? null : { at: user.createdAt, by: addedBy, replacedOwn: false },
  sessionEpoch: 1,
  tabletPinId: null,
  pinVersion: 0,
});

/** Whether the user has ever chosen a password. */
export const hasChosenPassword = (user: Pick<User, 'mustChangePassword' | 'passwordSetByOther'>): boolean =>
  !user.mustChangePassword || user.passwordSetByOther === null || user.passwordSetByOther.replacedOwn;

const invitationMs = invitationHours * 3600_000;
export const invitationEndsAt = (now: number): number => now + invitationMs;

/** Whether the user was invited, and can still choose a password. */
export const isInvited = ({ status, invitation }: Pick<User, 'status' | 'invitation'>, now: number): boolean =>
  status === 'disabled' && invitation !== null && invitation.hash !== null && now < invitation.endsAt;

const foreignPasswordWaitMs = resetDelayHours * 3600_000;
/** For this time after somebody else has set the password, the PIN cannot be reset. */
export const isTooSoonToResetPin = (set: PasswordSetByOther | null, now: number): boolean =>
  set !== null && now - set.at < foreignPasswordWaitMs;
/** A first PIN must wait as long, unless the user never had a password of their own that was replaced. */
export const isTooSoonToCreatePin = (set: PasswordSetByOther | null, now: number): boolean =>
  set !== null && set.replacedOwn && isTooSoonToResetPin(set, now);

/** The user was disabled after the access token was issued. */
export const userNotActive = (): Problem => problem('invalid_token', { detail: 'The user is not active any more.' });

export const toUserResponse = (user: User): UserResponse => ({
  id: user.id,
  name: user.name,
  email: user.email,
  role: user.role,
  status: user.status,
  must_change_password: user.mustChangePassword,
  invited_until:
    user.status === 'disabled' && user.invitation && user.invitation.hash !== null
      ? new Date(user.invitation.endsAt).toISOString()
      : null,
  created_at: new Date(user.createdAt).toISOString(),
});
