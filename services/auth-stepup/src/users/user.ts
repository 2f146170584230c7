import type { Role } from '@comanda/contracts/endpoint';
import type { User as UserResponse } from '@comanda/contracts/users';

export const statuses = ['active', 'disabled'] as const;
export type Status = (typeof statuses)[number];

/** Times are milliseconds since the epoch. */
export type User = {
  id: number;
  name: string;
  /** Null for a guest. */
  email: string | null;
  /** Null for a guest. */
  passwordHash: string | null;
  role: Role;
  status: Status;
  mustChangePassword: boolean;
  /** When somebody else last set this user's password. The user's own later change does not reset it. */
  passwordSetByOtherAt: number | null;
  /** Sessions of earlier epochs are over: one increment ends them all. */
  sessionEpoch: number;
  createdAt: number;
  /** Incremented with every new PIN, and to void all earlier step-up tokens. */
  pinVersion: number;
};
export type NewUser = Pick<User, 'name' | 'email' | 'passwordHash' | 'role' | 'mustChangePassword' | 'createdAt'>;
export type UserChange = Partial<Pick<User, 'role' | 'status' | 'passwordHash' | 'mustChangePassword'>> & {
  passwordSetByOtherAt?: number;
};

/** A password that must be changed was set by somebody else. */
export const createUser = (user: NewUser, id: number): User => ({
  ...user,
  id,
  status: 'active',
  passwordSetByOtherAt: user.mustChangePassword ? user.createdAt : null,
  sessionEpoch: 1,
  pinVersion: 0,
});

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
