import { detailsDefects, type AnyDetails } from '@comanda/contracts/agreed-details';
import {
  type TransferKind,
  deposit,
  payBillFromAccount,
  refundBillPaymentToAccount,
  transferMoney,
} from '@comanda/contracts/transfers';
import { readStatement, type PublicKeys } from '@comanda/shared/crypto/statement';
import { fromMinor } from '../money.ts';
import type { PostedTransfer, TransferTerms } from './transfer.ts';

const endpointKeys = {
  internal_transfer: transferMoney.stepUp,
  account_deposit: deposit.stepUp,
  bill_payment: payBillFromAccount.stepUp,
  bill_refund: refundBillPaymentToAccount.stepUp,
} as const satisfies Record<TransferKind, string | undefined>;

/** What the user of a transfer is asked to agree to [RFC 9396]. */
export const detailsOf = ({
  kind,
  fromId,
  toId,
  amountMinor,
  currency,
  paymentId,
}: Omit<TransferTerms, 'description'>) => {
  const sum = { amount: fromMinor(amountMinor), currency };
  if (kind === 'internal_transfer') return { type: kind, from_account_id: fromId, to_account_id: toId, ...sum };
  if (kind === 'account_deposit') return { type: kind, account_id: toId, ...sum };
  if (paymentId === null) throw new Error(`a ${kind} has no payment`);
  return kind === 'bill_payment'
    ? { type: kind, payment_id: paymentId, from_account_id: fromId, ...sum }
    : { type: kind, payment_id: paymentId, ...sum };
};

const withoutPayment: ReadonlySet<TransferKind> = new Set(['internal_transfer', 'account_deposit']);
type Transfer = Omit<TransferTerms, 'description'> & Pick<PostedTransfer, 'userId' | 'jti' | 'pinVersion'>;

/**
 * Why `consent` does not prove that the user of `transfer` agreed to it. Empty if one of the keys of auth-stepup has
 * signed that this user entered the PIN for this transfer, or for any transfer.
 */
export function consentDefects(consent: string, transfer: Transfer, keys: PublicKeys): string[] {
  const claims = readStatement(consent, 'consent+jws', keys);
  if (!claims) return ['its consent is not signed by a trusted key'];
  const { sub, endpoint_key: endpointKey, jti, pin_version: pinVersion, authorization_details: agreed = null } = claims;
  const defects: string[] = [];
  if (sub !== String(transfer.userId)) defects.push('its consent is that of another user');
  if (endpointKey !== endpointKeys[transfer.kind]) defects.push('its consent is for another endpoint');
  if (jti !== transfer.jti) defects.push('its consent is that of another step-up token');
  if (pinVersion !== transfer.pinVersion) defects.push('its consent is that of another version of the PIN');
  if (agreed === null)
    return transfer.paymentId === null ? defects : [...defects, 'its consent does not name the payment'];
  // Of no known kind, or without the payment that it had: nothing can be compared, and it is not as it was written.
  if (transfer.paymentId === null && !withoutPayment.has(transfer.kind)) return [...defects, 'it names no payment'];
  const [details] = agreed as AnyDetails[];
  if (!details) return [...defects, 'its consent has no details'];
  return [...defects, ...detailsDefects(details, detailsOf(transfer)).map((name) => `its consent has another ${name}`)];
}
