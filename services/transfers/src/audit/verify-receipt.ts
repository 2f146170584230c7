import { readStatement } from '@comanda/shared/crypto/statement';
import { toMinor } from '@comanda/contracts/money';
import { consentDefects } from '../transfers/check-consent.ts';
import type { toReceipt } from '../transfers/receipt.ts';
import { loadKeySet } from '@comanda/shared/crypto/load-key-set';

/**
 * Returns the payload of a receipt, after verifying its signature and its authorization, which auth-stepup has signed. Receipts
 * from before authorizations were stored have none.
 * @throws Error if no key in `keySetSource` (a URL or a file) has signed the receipt, or if the authorization is for something
 * else
 */
export async function verifyReceipt(receipt: string, keySetSource: string): Promise<Record<string, unknown>> {
  const keys = await loadKeySet(keySetSource);
  const payload = readStatement(receipt, 'receipt+jws', keys.receipts);
  if (!payload) throw new Error(`This receipt was not signed by a key of ${keySetSource}.`);
  if (!isWithConsent(payload)) return payload;
  const { consent } = payload;
  const [defect] = consentDefects(consent, toTransfer(payload), keys.consents);
  if (defect) throw new Error(`This receipt does not prove the consent of the payer: ${defect}.`);
  return { ...payload, consent: readStatement(consent, 'consent+jws', keys.consents) };
}

type Payload = Required<ReturnType<typeof toReceipt>>;

const isWithConsent = (payload: object): payload is Payload => 'consent' in payload;

const toTransfer = (payload: Payload) => ({
  kind: payload.kind,
  paymentId: payload.payment_id ?? null,
  fromId: payload.from_account_id,
  toId: payload.to_account_id,
  amountMinor: toMinor(payload.amount),
  currency: payload.currency,
  userId: payload.user_id,
  jti: payload.jti,
  pinVersion: payload.pin_version,
});
