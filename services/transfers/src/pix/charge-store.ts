import type { Connection } from 'mongoose';
import type { Sealer } from '@comanda/shared/crypto/seal';
import type { Logger } from '@comanda/shared/runtime/logger';
import { pixChargeModes, type PixChargeMode } from '@comanda/contracts/pix';
import { fromMinor, toMinor } from '@comanda/contracts/money';
import { collectionOf, collectionSchema } from '@comanda/shared/mongo/collections';
import { isDuplicate } from '@comanda/shared/mongo/transactions';
import { readInserted } from '../read-inserted.ts';
import type { Charge } from './charge.ts';

/** `_id`: the payment's id. */
type ChargeDocument = {
  _id: number;
  payment_created_at: Date;
  mode: PixChargeMode;
  txid: string;
  /** A decimal string with two decimal places, in BRL. */
  amount: string;
  /** Sealed, so that nobody who can write to the database sends the guests' money elsewhere. Absent until there is a code. */
  code?: string;
  expires_at: Date;
};
export const chargeSchema = collectionSchema<ChargeDocument>('pix_charges', {
  _id: { type: Number },
  payment_created_at: { type: Date, required: true },
  mode: { type: String, required: true, enum: pixChargeModes },
  txid: { type: String, required: true, maxlength: 35 },
  amount: { type: String, required: true, maxlength: 24 },
  code: { type: String, maxlength: 2048, allowNull: false },
  expires_at: { type: Date, required: true },
})
  .index({ txid: 1 }, { name: 'txid', unique: true })
  .index({ mode: 1, expires_at: 1 }, { name: 'open' });

export type ChargeStore = ReturnType<typeof createChargeStore>;

const durable = { writeConcern: { w: 'majority' } } as const;

type Options = { sealer: Pick<Sealer, 'seal' | 'open'>; logger: Logger };
const labelOf = (paymentId: number, txid: string): string => `pix code ${paymentId} ${txid}`;

/** Creates the store for Pix codes. A payment has at most one. A code that this service has not stored is left out. */
export function createChargeStore(connection: Connection, { sealer, logger }: Options) {
  const charges = collectionOf(connection, chargeSchema);
  function openCode(paymentId: number, { txid, code }: Pick<ChargeDocument, 'txid' | 'code'>): string | null {
    if (code === undefined) return null;
    try {
      return sealer.open(code, labelOf(paymentId, txid)).toString();
    } catch (error) {
      logger.error({ err: error, payment: paymentId }, 'a Pix code is not as it was written, and is left out');
      return null;
    }
  }
  const toCharge = ({ _id: paymentId, ...document }: ChargeDocument): Charge => ({
    paymentId,
    paymentCreatedAt: document.payment_created_at,
    mode: document.mode,
    txid: document.txid,
    amountMinor: toMinor(document.amount),
    code: openCode(paymentId, document),
    expiresAt: document.expires_at,
  });
  const find = async (paymentId: number): Promise<Charge | null> => {
    const found = await charges.findOne({ _id: paymentId });
    return found && toCharge(found);
  };
  return {
    find,
    /**
     * Stores a charge durably, before the bank hears of it. If another request has stored one for this payment, returns that one
     * instead.
     */
    insertOrFind: async (charge: Charge): Promise<Charge> => {
      try {
        await charges.insertOne(toDocument(charge), durable);
        return charge;
      } catch (error) {
        if (!isDuplicate(error)) throw error;
        return readInserted(() => find(charge.paymentId));
      }
    },
    /** Stores the code of a charge that has none. Returns true for the only request that does so. */
    setCode: async ({ paymentId, txid }: Charge, code: string): Promise<boolean> => {
      const filter = { _id: paymentId, code: { $exists: false } };
      const sealed = sealer.seal(Buffer.from(code), labelOf(paymentId, txid));
      const { modifiedCount } = await charges.updateOne(filter, { $set: { code: sealed } }, durable);
      return modifiedCount === 1;
    },
    findByTxids: async (txids: readonly string[]): Promise<Charge[]> =>
      txids.length === 0 ? [] : (await charges.find({ txid: { $in: [...txids] } }).toArray()).map(toCharge),
    /** Returns true if a charge at the bank ends after `time`. */
    hasOpen: async (time: Date): Promise<boolean> =>
      (await charges.findOne({ mode: 'bank', expires_at: { $gt: time } }, { projection: { _id: 1 } })) !== null,
  };
}

/** A new charge has no code. */
const toDocument = (charge: Charge): ChargeDocument => ({
  _id: charge.paymentId,
  payment_created_at: charge.paymentCreatedAt,
  mode: charge.mode,
  txid: charge.txid,
  amount: fromMinor(charge.amountMinor),
  expires_at: charge.expiresAt,
});
