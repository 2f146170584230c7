import type { User as UserResponse } from '@comanda/contracts/users';
import type { SessionHolder } from '../users/user.ts';

/** A person who has scanned a table's QR code. Guests are not users: they have no e-mail address and no password. */
export type Guest = SessionHolder & { createdAt: number };

export const toGuestResponse = ({ id, name, role, createdAt }: Guest): UserResponse => ({
  id,
  name,
  email: null,
  role,
  status: 'active',
  must_change_password: false,
  created_at: new Date(createdAt).toISOString(),
});
