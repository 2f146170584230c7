import { randomBytes } from 'node:crypto';
import { staticCode } from '@comanda/contracts/br-code';
import type { PixCharge as ChargeResponse, PixChargeMode } from '@comanda/contracts/pix';
import { fromMinor } from '@comanda/contracts/money';
import type { Minor } from '../money.ts';

/** One Pix code: the request for the money of one payment. */
export type Charge = {
  paymentId: number;
  /** When the payment was reserved. With it, a payment after a restore is told apart from an earlier one with the same id. */
  paymentCreatedAt: Date;
  mode: PixChargeMode;
  txid: string;
  amountMinor: Minor;
  /** The text of the code; null until the bank has accepted the charge. */
  code: string | null;
  /** The end of the reservation. */
  expiresAt: Date;
};

/** Who is shown in the code. */
export type Receiver = { key: string; name: string; city: string };

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** A code of mode `staff` has room for 25 characters. Banks ask for 26 to 35. */
const txidLength: Record<PixChargeMode, number> = { staff: 25, bank: 32 };
export const randomTxid = (mode: PixChargeMode): string => randomLetters(txidLength[mode]);
export const randomRefundId = (): string => `R${randomLetters(31)}`;

/** Returns random letters and digits. 248 is the largest multiple of 62 below 256, so each is equally likely. */
function randomLetters(length: number): string {
  let text = '';
  while (text.length < length)
    for (const byte of randomBytes(length)) if (byte < 248 && text.length < length) text += letters[byte % 62];
  return text;
}

export const staticCodeOf = ({ amountMinor, txid }: Pick<Charge, 'amountMinor' | 'txid'>, receiver: Receiver): string =>
  staticCode({ ...receiver, amount: fromMinor(amountMinor), txid });

export const toChargeResponse = ({ code, ...charge }: Charge & { code: string }): ChargeResponse => ({
  payment_id: charge.paymentId,
  txid: charge.txid,
  code,
  amount: fromMinor(charge.amountMinor),
  mode: charge.mode,
  expires_at: charge.expiresAt.toISOString(),
});
