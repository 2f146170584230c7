import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

type IdentifiedCall = { userId: number; method: string; path: string; key: string; body: unknown };

/**
 * What makes a call with an idempotency key that very call: SHA-256, base64url, over user, method, concrete path, key
 * and the RFC 8785 form of the body.
 */
export const requestFingerprint = ({ userId, method, path, key, body }: IdentifiedCall): string =>
  createHash('sha256')
    .update(JSON.stringify([userId, method, path, key]))
    .update('\n')
    .update(canonicalize(body) ?? '')
    .digest('base64url');
