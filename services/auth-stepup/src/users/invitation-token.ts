import { createHash, randomBytes } from 'node:crypto';

/** The format of an invitation token: the invited user's id and 192 random bits, of which only the hash is stored. */
const form = /^([1-9][0-9]{0,14})\.([A-Za-z0-9_-]{32})$/;

export const newInvitationSecret = (): string => randomBytes(24).toString('base64url');
export const hashOfSecret = (secret: string): string => createHash('sha256').update(secret).digest('base64url');
export const invitationTokenOf = (userId: number, secret: string): string => `${userId}.${secret}`;

/** Parses an invitation token. Returns null if the format is wrong. */
export function readInvitationToken(token: string): { userId: number; hash: string } | null {
  const [, userId, secret] = form.exec(token) ?? [];
  return userId === undefined || secret === undefined ? null : { userId: Number(userId), hash: hashOfSecret(secret) };
}
