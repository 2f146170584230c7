import { randomUUID } from 'node:crypto';
import { fromMinor } from '@comanda/contracts/money';
import type { PixPurpose, PixStatement } from '@comanda/contracts/pix-internal';
import { signStatement, type Signer } from '@comanda/shared/crypto/statement';
import type { Minor } from '../money.ts';
import type { BankPix } from './bank.ts';
import type { Author, NamedPayment } from './pix-receipt.ts';

type About = { named: NamedPayment | null; by: Author | null; now: Date };

/** Signs what the bank has just told this process about a Pix. A stored receipt is never enough: it could be forged. */
export const signReceived = (pix: BankPix, { named, by, now }: About, signer: Signer): string =>
  sign({ ...ofBank(pix, { named, by, now }), purpose: 'payment', refund_id: null }, signer);

/** Signs that a refund begins, was done or has failed. */
export const signRefund = (
  pix: BankPix,
  { purpose, refundId, ...about }: About & { purpose: Exclude<PixPurpose, 'payment'>; refundId: string },
  signer: Signer,
): string => sign({ ...ofBank(pix, about), purpose, refund_id: refundId }, signer);

type Confirmation = { named: NamedPayment; amountMinor: Minor; by: Author; reference: string | undefined; now: Date };

/** Signs that a person has seen the Pix for a payment in the bank's app. */
export const signConfirmation = ({ named, amountMinor, by, reference, now }: Confirmation, signer: Signer): string =>
  sign(
    {
      ...common({ named, by, now }),
      purpose: 'payment',
      amount: fromMinor(amountMinor),
      end_to_end_id: null,
      confirmed_by: 'staff',
      confirmation_id: randomUUID(),
      refund_id: null,
      ...(reference !== undefined && { reference }),
    },
    signer,
  );

const common = ({ named, by, now }: About) => ({
  payment_id: named?.id ?? null,
  payment_created_at: named?.createdAt.toISOString() ?? null,
  currency: 'BRL',
  by: by && { id: by.id, name: by.name, role: by.role },
  iat: Math.floor(now.getTime() / 1000),
});
const ofBank = ({ endToEndId, amountMinor }: BankPix, about: About) =>
  ({
    ...common(about),
    amount: fromMinor(amountMinor),
    end_to_end_id: endToEndId,
    confirmed_by: 'bank',
    confirmation_id: null,
  }) as const;

const sign = (statement: PixStatement, signer: Signer): string => signStatement(statement, 'pix+jws', signer);
