import { hash, sign, verify, type KeyObject } from 'node:crypto';

export type Signer = { kid: string; privateKey: KeyObject };
/** Public keys, keyed by `kid`. */
export type PublicKeys = ReadonlyMap<string, KeyObject>;
/** The signature's `typ` header. Because of it, a statement of one type is not accepted as another type or as a token. */
export type StatementType =
  | 'receipt+jws'
  | 'refusal+jws'
  | 'expiry+jws'
  | 'account+jws'
  | 'checkpoint+jws'
  | 'consent+jws'
  | 'pix+jws';

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signs `payload` as a compact JWS [RFC 7515] with ES256. */
export function signStatement(payload: object, typ: StatementType, { kid, privateKey }: Signer): string {
  const signed = `${encode({ alg: 'ES256', kid, typ })}.${encode(payload)}`;
  const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}

export const statementHash = (jws: string): string => hash('sha256', jws, 'base64url');

/** Returns the payload of a compact JWS of type `typ`, or null unless one of `keys` signed it with ES256. */
export function readStatement(jws: string, typ: StatementType, keys: PublicKeys): Record<string, unknown> | null {
  const [, head = '', body = '', signature = ''] = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(jws) ?? [];
  const header = decode(head);
  const key = keys.get(String(header?.['kid']));
  if (!key || header?.['alg'] !== 'ES256' || header['typ'] !== typ || 'crit' in header) return null;
  const verifyOptions = { key, dsaEncoding: 'ieee-p1363' as const };
  const bytes = Buffer.from(signature, 'base64url');
  // The last base64url character has unused bits. They must be zero, so that a signature has only one valid form.
  if (bytes.toString('base64url') !== signature) return null;
  const isValid = verify('sha256', Buffer.from(`${head}.${body}`), verifyOptions, bytes);
  return isValid ? decode(body) : null;
}

function decode(part: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null; // the payload is not JSON
  }
}
