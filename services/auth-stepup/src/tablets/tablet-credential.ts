import { createHash, randomBytes } from 'node:crypto';

/**
 * The format of the credential stored on a tablet: the tablet's id and 192 random bits. The service stores only a hash of these
 * bits.
 */
const form = /^([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{32})$/;
const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

export function newTabletCredential(): { id: string; hash: string; credential: string } {
  const id = randomBytes(16).toString('base64url');
  const secret = randomBytes(24).toString('base64url');
  return { id, hash: hashOf(secret), credential: `${id}.${secret}` };
}

/** Parses a credential. Returns null if the format is wrong. */
export function readTabletCredential(credential: string): { id: string; hash: string } | null {
  const [, id, secret] = form.exec(credential) ?? [];
  return id === undefined || secret === undefined ? null : { id, hash: hashOf(secret) };
}
