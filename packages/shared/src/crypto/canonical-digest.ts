import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** Returns a JSON value in canonical form [RFC 8785]. */
export const canonicalJson = (value: unknown): string => canonicalize(value) ?? '';

/** Returns the SHA-256 of a JSON value in canonical form [RFC 8785], as 64 hexadecimal digits. */
export const canonicalDigest = (value: unknown): string =>
  createHash('sha256').update(canonicalJson(value)).digest('hex');
