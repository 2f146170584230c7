import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** An `Idempotency-Key`, and a fingerprint of the request that it was sent with. */
export type IdempotentRequest = { key: string; fingerprint: string };
type IdentifiedCall = { userId: number; method: string; path: string; key: string; body: unknown };

/**
 * Identifies a request with an idempotency key: the SHA-256, in base64url, of the user, the method, the actual path, the key and
 * the body as canonical JSON [RFC 8785].
 */
export const requestFingerprint = ({ userId, method, path, key, body }: IdentifiedCall): string =>
  createHash('sha256')
    .update(JSON.stringify([userId, method, path, key]))
    .update('\n')
    .update(canonicalize(body) ?? '')
    .digest('base64url');

/** Returns the key and the fingerprint of a request; null if it has no idempotency key. */
export const identifyRequest = ({
  key,
  ...request
}: Omit<IdentifiedCall, 'key'> & { key: string | undefined }): IdempotentRequest | null =>
  key === undefined ? null : { key, fingerprint: requestFingerprint({ ...request, key }) };
