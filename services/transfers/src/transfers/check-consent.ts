import { detailsDefects, detailsOf, type AnyDetails } from '@comanda/contracts/agreed-details';
import type { StepUp } from '@comanda/contracts/endpoint';
import { deposit, payBillFromAccount, refundBillPaymentToAccount, transferMoney } from '@comanda/contracts/transfers';
import type { TransferKind } from '@comanda/contracts/accounts';
import { readStatement, type PublicKeys } from '@comanda/shared/crypto/statement';
import { fromMinor } from '@comanda/contracts/money';
import type { PostedTransfer, TransferTerms } from './transfer.ts';

/** The step-up that each kind of transfer requires. Partial, because a row with an unknown kind may be the result of tampering. */
const stepUps: Readonly<Partial<Record<TransferKind, StepUp | undefined>>> = {
  internal_transfer: transferMoney.stepUp,
  account_deposit: deposit.stepUp,
  bill_payment: payBillFromAccount.stepUp,
  bill_refund: refundBillPaymentToAccount.stepUp,
} satisfies Record<TransferKind, StepUp | undefined>;

/** Returns the details that a transfer's user had to authorize [RFC 9396]; null if the transfer lacks some of them. */
export function agreementTo(transfer: Omit<TransferTerms, 'description'>): AnyDetails | null {
  const { kind, fromId, toId, amountMinor, currency, paymentId } = transfer;
  const rule = stepUps[kind]?.details;
  // A deposit's request names the account in its path, as `id`.
  const input = { id: toId, from_account_id: fromId, to_account_id: toId, payment_id: paymentId ?? undefined };
  return rule ? detailsOf(rule, { ...input, amount: fromMinor(amountMinor), currency }) : null;
}

type Transfer = Omit<TransferTerms, 'description'> & Pick<PostedTransfer, 'userId' | 'jti' | 'pinVersion'>;

/**
 * Returns why `consent` does not prove that the transfer's user authorized it. Returns an empty list if auth-stepup has signed
 * that this user entered the PIN for this transfer, or for any transfer.
 */
export function consentDefects(consent: string, transfer: Transfer, keys: PublicKeys): string[] {
  const claims = readStatement(consent, 'consent+jws', keys);
  if (!claims) return ['its consent is not signed by a trusted key'];
  const { sub, endpoint_key: endpointKey, jti, pin_version: pinVersion, authorization_details: agreed = null } = claims;
  const stepUp = stepUps[transfer.kind];
  const defects: string[] = [];
  if (sub !== String(transfer.userId)) defects.push('its consent is that of another user');
  if (endpointKey !== stepUp?.key) defects.push('its consent is for another endpoint');
  if (jti !== transfer.jti) defects.push('its consent is that of another step-up token');
  if (pinVersion !== transfer.pinVersion) defects.push('its consent is that of another version of the PIN');
  if (agreed === null) return stepUp?.required ? [...defects, 'its consent does not name the payment'] : defects;
  // A row with an unknown kind or without its payment is the result of tampering, and can't be compared.
  const done = agreementTo(transfer);
  if (!stepUp || !done) return [...defects, 'it names no payment'];
  const [details] = agreed as AnyDetails[];
  if (!details) return [...defects, 'its consent has no details'];
  const others = detailsDefects({ agreed: details, done, rules: [stepUp.details] });
  return [...defects, ...others.map((name) => `its consent has another ${name}`)];
}
