import type { CallName, Client } from '@comanda/client/core';
import { stepUpOf } from '@comanda/client/consent';
import { detailsDefects, detailsOf, type AnyDetails } from '@comanda/contracts/agreed-details';
import type { TransferKind } from '@comanda/contracts/accounts';
import { onDeviceLater } from '../on-device-later.ts';
import type { Transfer } from './accounts.ts';

/**
 * `genuine`: the receipt is signed by the restaurant and matches the displayed transfer, with proof that the payer entered the
 * PIN for it. `no_consent`: this proof is missing, as in receipts from before it was signed. `no_crypto`: the browser has no
 * WebCrypto, because the page was loaded without TLS. `no_keys`: the public keys could not be loaded and are not on this device.
 */
export type Verdict = 'genuine' | 'no_consent' | 'not_genuine' | 'no_crypto' | 'no_keys';
export type Jwk = Record<string, string | undefined>;

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

const purposes = ['receipts', 'consents'] as const;
type Purpose = (typeof purposes)[number];

/**
 * Returns the public key with this id. Keys that were loaded before are on this device, because keys for receipts and
 * authorizations never expire.
 */
async function findKey({ calls }: Client, kid: string, purpose: Purpose): Promise<Jwk | 'none' | 'no_keys'> {
  const find = (keys: readonly Jwk[]): Jwk | undefined =>
    keys.find(
      (key) => key['kid'] === kid && key['purpose'] === purpose && key['kty'] === 'EC' && key['crv'] === 'P-256',
    );
  const known = find(onDeviceLater.receiptKeys.get());
  if (known) return known;
  try {
    // The user is waiting for the result and can try again, so the call isn't repeated.
    const { keys } = await calls.jwks({}, { repeat: 'never' });
    const lasting = (keys as Jwk[]).filter((key) => purposes.some((each) => key['purpose'] === each));
    onDeviceLater.receiptKeys.write(lasting);
    return find(lasting) ?? 'none';
  } catch {
    return 'no_keys';
  }
}

const toBytes = (part: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(part.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
function decode(part: string): Record<string, unknown> {
  return JSON.parse(new TextDecoder().decode(toBytes(part))) as Record<string, unknown>;
}

/** Returns the payload of a compact JWS [RFC 7515]; null if no key for this purpose has signed it. */
async function readSigned(
  client: Client,
  jws: string,
  { typ, purpose }: { typ: string; purpose: Purpose },
): Promise<Record<string, unknown> | 'no_keys' | null> {
  const [, head = '', body = '', signature = ''] = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(jws) ?? [];
  const header = decode(head);
  if (header['alg'] !== 'ES256' || header['typ'] !== typ || 'crit' in header) return null;
  const jwk = await findKey(client, String(header['kid']), purpose);
  if (jwk === 'no_keys') return jwk;
  if (jwk === 'none') return null;
  const { kty = '', crv = '', x = '', y = '' } = jwk;
  const curve = { name: 'ECDSA', namedCurve: 'P-256' };
  const key = await crypto.subtle.importKey('jwk', { kty, crv, x, y }, curve, false, ['verify']);
  const signed = new TextEncoder().encode(`${head}.${body}`);
  const isSigned = await crypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, key, toBytes(signature), signed);
  return isSigned ? decode(body) : null;
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** The API call that makes each kind of transfer. */
const calls: ReadonlyMap<unknown, CallName> = new Map<TransferKind, CallName>([
  ['internal_transfer', 'transferMoney'],
  ['account_deposit', 'deposit'],
  ['bill_payment', 'payBillFromAccount'],
  ['bill_refund', 'refundBillPaymentToAccount'],
]);

/** Returns true if `consent` proves that the payer authorized the transfer in `receipt`. */
function isConsentTo(receipt: Record<string, unknown>, consent: Record<string, unknown>): boolean {
  const call = calls.get(receipt['kind']);
  const stepUp = call && stepUpOf(call);
  if (!stepUp) return false;
  // A deposit's account is in the path of its call, as `id`.
  const input = { ...receipt, id: receipt['to_account_id'], payment_id: receipt['payment_id'] ?? undefined };
  const done = detailsOf(stepUp.details, input);
  const [agreed] = (consent['authorization_details'] ?? []) as AnyDetails[];
  return (
    consent['sub'] === String(receipt['user_id']) &&
    consent['endpoint_key'] === stepUp.key &&
    consent['jti'] === receipt['jti'] &&
    consent['pin_version'] === receipt['pin_version'] &&
    (!agreed || (done !== null && detailsDefects({ agreed, done, rules: [stepUp.details] }).length === 0))
  );
}

/** Verifies a receipt and the authorization in it, in this browser. */
export async function verifyReceipt(client: Client, transfer: Transfer): Promise<Verdict> {
  // Without TLS, a page has no `crypto.subtle`, although its type says so.
  if (!(crypto.subtle as SubtleCrypto | undefined)) return 'no_crypto';
  try {
    const receipt = await readSigned(client, transfer.receipt, { typ: 'receipt+jws', purpose: 'receipts' });
    if (receipt === 'no_keys') return receipt;
    if (!receipt || comparedFields.some((field) => receipt[field] !== transfer[field])) return 'not_genuine';
    const { consent: jws } = receipt;
    if (!isText(jws)) return 'no_consent';
    const consent = await readSigned(client, jws, { typ: 'consent+jws', purpose: 'consents' });
    if (consent === 'no_keys') return consent;
    return consent && isConsentTo(receipt, consent) ? 'genuine' : 'not_genuine';
  } catch {
    return 'not_genuine';
  }
}
