import type { Role } from '@comanda/contracts/endpoint';
import type { User as PublicUser } from '@comanda/contracts/users';

export type Status = 'active' | 'disabled';
/** A user as the stories know one. Times are milliseconds since the epoch. */
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
  /** When somebody else last chose this user's password; their own change later does not undo it. */
  passwordSetByOtherAt: number | null;
  /** Sessions that began in an earlier epoch have ended: one write ends them all. */
  sessionEpoch: number;
  createdAt: number;
  /** Consent that was given under a smaller one is void. */
  pinVersion: number;
};
export type NewUser = Pick<User, 'name' | 'email' | 'passwordHash' | 'role' | 'mustChangePassword' | 'createdAt'>;

/** E-mails are one and the same whatever their case. */
export const normalEmail = (email: string): string => email.trim().toLowerCase();

export const presentUser = (user: User): PublicUser => ({
  id: user.id,
  name: user.name,
  email: user.email,
  role: user.role,
  status: user.status,
  must_change_password: user.mustChangePassword,
  created_at: new Date(user.createdAt).toISOString(),
});
