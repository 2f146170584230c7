import type { Client } from '@comanda/client';
import { stored } from '@comanda/ui/stored-setting.ts';
import type { Transfer } from './accounts.ts';

/**
 * `genuine`: signed by the restaurant, and about exactly the transfer that is shown. `no_crypto`: the browser has no
 * WebCrypto, because the page came without TLS. `no_keys`: the public keys could not be read, and are not on this device.
 */
export type Verdict = 'genuine' | 'not_genuine' | 'no_crypto' | 'no_keys';
type Jwk = Record<string, string | undefined>;

const isKeys = (value: unknown): value is readonly Jwk[] =>
  Array.isArray(value) && value.every((key) => typeof key === 'object' && key !== null);
const storedKeys = stored<readonly Jwk[]>('receipt-keys', isKeys, []);
const comparedFields = [
  'id',
  'from_account_id',
  'to_account_id',
  'amount',
  'currency',
  'description',
  'status',
  'created_at',
] as const;

/** Public keys, from this device if they were read before: keys of receipts stay valid for ever. */
async function findKey({ calls }: Client, kid: string): Promise<Jwk | 'none' | 'no_keys'> {
  const find = (keys: readonly Jwk[]): Jwk | undefined =>
    keys.find(
      (key) => key['kid'] === kid && key['purpose'] === 'receipts' && key['kty'] === 'EC' && key['crv'] === 'P-256',
    );
  const known = find(storedKeys.get());
  if (known) return known;
  try {
    const { keys } = await calls.jwks();
    const receiptKeys = (keys as Jwk[]).filter((key) => key['purpose'] === 'receipts');
    storedKeys.write(receiptKeys);
    return find(receiptKeys) ?? 'none';
  } catch {
    return 'no_keys';
  }
}

const toBytes = (part: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(part.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
function decode(part: string): Record<string, unknown> {
  return JSON.parse(new TextDecoder().decode(toBytes(part))) as Record<string, unknown>;
}

/** Verifies the compact JWS [RFC 7515] of a receipt in this browser. */
export async function verifyReceipt(client: Client, transfer: Transfer): Promise<Verdict> {
  // Without TLS a page has no `crypto.subtle`, unlike its type.
  const subtle = crypto.subtle as SubtleCrypto | undefined;
  if (!subtle) return 'no_crypto';
  try {
    const [, head = '', body = '', signature = ''] = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(transfer.receipt) ?? [];
    const header = decode(head);
    if (header['alg'] !== 'ES256' || header['typ'] !== 'receipt+jws' || 'crit' in header) return 'not_genuine';
    const jwk = await findKey(client, String(header['kid']));
    if (jwk === 'no_keys') return jwk;
    if (jwk === 'none') return 'not_genuine';
    const { kty = '', crv = '', x = '', y = '' } = jwk;
    const curve = { name: 'ECDSA', namedCurve: 'P-256' };
    const key = await subtle.importKey('jwk', { kty, crv, x, y }, curve, false, ['verify']);
    const signed = new TextEncoder().encode(`${head}.${body}`);
    const isSigned = await subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, key, toBytes(signature), signed);
    const payload = decode(body);
    const isShown = comparedFields.every((field) => payload[field] === transfer[field]);
    return isSigned && isShown ? 'genuine' : 'not_genuine';
  } catch {
    return 'not_genuine';
  }
}
