import { detailsDefects, type AnyDetails } from '@comanda/contracts/agreed-details';
import { fromMinor } from '@comanda/contracts/money';
import { refundPix } from '@comanda/contracts/pix';
import { readStatement } from '@comanda/shared/crypto/statement';
import type { KeySet } from '@comanda/shared/http/key-set';
import type { PixReceipt, Refund } from './pix-receipt.ts';

const { stepUp } = refundPix;

/** Returns true if the refund's author has approved exactly this refund with the PIN. @throws 503 `service_unavailable` */
export type VerifyConsent = (receipt: PixReceipt, refund: Refund) => Promise<boolean>;

export const createConsentVerifier =
  (consentKeys: Pick<KeySet, 'key'>): VerifyConsent =>
  async ({ endToEndId, amountMinor }, { consent, jti, by }) => {
    const kid = kidOf(consent);
    const key = kid === null ? undefined : await consentKeys.key(kid);
    const claims = kid !== null && key ? readStatement(consent, 'consent+jws', new Map([[kid, key]])) : null;
    if (!claims || claims['sub'] !== String(by.id) || claims['jti'] !== jti) return false;
    const [agreed] = (claims['authorization_details'] ?? []) as AnyDetails[];
    if (!stepUp || claims['endpoint_key'] !== stepUp.key || !agreed) return false;
    const { type } = stepUp.details;
    const done = { type, end_to_end_id: endToEndId, amount: fromMinor(amountMinor), currency: 'BRL' };
    return detailsDefects({ agreed, done, rules: [stepUp.details] }).length === 0;
  };

/** Returns the key id in a compact JWS's header [RFC 7515]; null if it has none. */
function kidOf(statement: string): string | null {
  try {
    const { kid } = JSON.parse(Buffer.from(statement.split('.')[0] ?? '', 'base64url').toString()) as { kid?: unknown };
    return typeof kid === 'string' ? kid : null;
  } catch {
    return null; // not JSON
  }
}
