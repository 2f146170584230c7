import type { Role } from '@comanda/contracts/endpoint';
import { problem, type Problem } from '@comanda/contracts/problem';
import { invitationHours, resetDelayHours } from '@comanda/contracts/rules';
import type { User as UserResponse } from '@comanda/contracts/users';

export const statuses = ['active', 'disabled'] as const;
export type Status = (typeof statuses)[number];

/** A user. Times are in milliseconds since the epoch. */
export type User = {
  id: number;
  name: string;
  email: string;
  passwordHash: string;
  /** How many passwords in a row were wrong since the last right password, right PIN or new password. */
  wrongPasswords: number;
  role: Role;
  status: Status;
  mustChangePassword: boolean;
  /**
   * When and by whom this user's password was last set by another user, even if the user has changed the password since; null if
   * this never happened.
   */
  passwordSetByOther: PasswordSetByOther | null;
  /** The latest invitation, even if it was withdrawn or has expired; null if there is none or it was accepted. */
  invitation: Invitation | null;
  /**
   * The epoch of the user's current sessions. Sessions from earlier epochs are over, so increasing the epoch ends all sessions.
   */
  sessionEpoch: number;
  createdAt: number;
  /** The id of the current tablet PIN; null if the user has none. */
  tabletPinId: string | null;
  /** The version of the PIN. It is increased with every new PIN, and to void all earlier step-up tokens. */
  pinVersion: number;
};
/** The user or guest that a session belongs to. */
export type SessionHolder = Pick<User, 'id' | 'name' | 'role' | 'mustChangePassword' | 'sessionEpoch'>;
/**
 * When and by which user the password was set. `replacedOwn`: true if the user had chosen a password before, so setting another
 * one could be an attack.
 */
export type PasswordSetByOther = { at: number; by: number; replacedOwn: boolean };
/**
 * An invitation. `hash`: the hash of the link's secret; null if the invitation was withdrawn. `by`: the manager who sent the
 * invitation.
 */
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

/** Creates a user. A password set by another user must be changed first. An invited user has no password yet. */
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

/** Returns true if the user has ever chosen a password. */
export const hasChosenPassword = (user: Pick<User, 'mustChangePassword' | 'passwordSetByOther'>): boolean =>
  !user.mustChangePassword || user.passwordSetByOther === null || user.passwordSetByOther.replacedOwn;

const invitationMs = invitationHours * 3600_000;
export const invitationEndsAt = (now: number): number => now + invitationMs;

/** Returns true if the user was invited and can still choose a password. */
export const isInvited = ({ status, invitation }: Pick<User, 'status' | 'invitation'>, now: number): boolean =>
  status === 'disabled' && invitation !== null && invitation.hash !== null && now < invitation.endsAt;

/** Returns true if the user may have a tablet PIN. */
export const maySetTabletPin = ({ role }: Pick<User, 'role'>): boolean => role === 'waiter';

const foreignPasswordWaitMs = resetDelayHours * 3600_000;
/** Returns true if another user set the password so recently that the PIN cannot be reset yet. */
export const isTooSoonToResetPin = (set: PasswordSetByOther | null, now: number): boolean =>
  set !== null && now - set.at < foreignPasswordWaitMs;
/**
 * Returns true if a first PIN must wait as long as a PIN reset. This is only necessary if another user replaced a password that
 * the user had chosen.
 */
export const isTooSoonToCreatePin = (set: PasswordSetByOther | null, now: number): boolean =>
  set !== null && set.replacedOwn && isTooSoonToResetPin(set, now);

/** Creates the problem for a user who was disabled after the access token was issued. */
export const userNotActive = (): Problem =>
  problem('invalid_token', { detail: 'This user is no longer active. Ask a manager.' });

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
