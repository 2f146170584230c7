import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** Returns the SHA-256 of a JSON value in canonical form [RFC 8785], as 64 hexadecimal digits. */
export const canonicalDigest = (value: unknown): string =>
  createHash('sha256')
    .update(canonicalize(value) ?? '')
    .digest('hex');
