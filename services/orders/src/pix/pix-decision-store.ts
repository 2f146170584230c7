import { pixPurposes, pixRefusals, type PixPurpose, type PixRefusal } from '@comanda/contracts/pix-internal';
import { collectionOf, collectionSchema } from '@comanda/shared/mongo/collections';
import type { Session } from '@comanda/shared/mongo/transactions';
import type { Connection } from 'mongoose';
import { absentOr } from '../document-fields.ts';
import { keyOf, type PixDecision, type ProvenStatement } from './pix-decision.ts';

type PixDecisionDocument = {
  _id: string;
  purpose: PixPurpose;
  /** Absent for a confirmation by staff. */
  end_to_end_id?: string;
  outcome: 'accepted' | 'refused';
  /** Absent if it was accepted. */
  reason?: PixRefusal;
  /** Absent if the statement is about no payment. */
  payment_id?: number;
  decided_at: Date;
};
export const pixDecisionSchema = collectionSchema<PixDecisionDocument>('pix_decisions', {
  _id: { type: String },
  purpose: { type: String, required: true, enum: pixPurposes },
  end_to_end_id: { type: String, maxlength: 64, allowNull: false },
  outcome: { type: String, required: true, enum: ['accepted', 'refused'] },
  reason: { type: String, enum: pixRefusals, allowNull: false },
  payment_id: absentOr(Number),
  decided_at: { type: Date, required: true },
})
  .index({ end_to_end_id: 1 }, { name: 'of_pix', partialFilterExpression: { end_to_end_id: { $exists: true } } })
  .index({ payment_id: 1 }, { name: 'of_payment', partialFilterExpression: { payment_id: { $exists: true } } });

export type PixDecisionStore = ReturnType<typeof createPixDecisionStore>;

/** The decisions that say which Pix has paid which payment. */
const paid = { purpose: 'payment', outcome: 'accepted', end_to_end_id: { $exists: true } } as const;

/** Creates the store for the decisions about statements. Decisions are never changed or removed. */
export function createPixDecisionStore(connection: Connection) {
  const decisions = collectionOf(connection, pixDecisionSchema);
  return {
    /**
     * Finds the decisions that bear on these statements: those about the same statements, and those that say what their Pix or
     * their payments have paid.
     */
    findAbout: async (statements: readonly ProvenStatement[], session: Session): Promise<PixDecision[]> => {
      if (statements.length === 0) return [];
      const pixIds = statements.flatMap(({ end_to_end_id: id }) => id ?? []);
      const paymentIds = statements.flatMap(({ payment_id: id }) => id ?? []);
      const filter = {
        $or: [
          { _id: { $in: statements.map(keyOf) } },
          { ...paid, end_to_end_id: { $in: pixIds } },
          { ...paid, payment_id: { $in: paymentIds } },
        ],
      };
      return (await decisions.find(filter, { session }).toArray()).map(toDecision);
    },
    /** Finds the id of the payment that this Pix has paid; null if it has paid none. */
    findPaidBy: async (endToEndId: string): Promise<number | null> => {
      const found = await decisions.findOne({ ...paid, end_to_end_id: endToEndId, payment_id: { $exists: true } });
      return found?.payment_id ?? null;
    },
    /** Adds decisions in the transaction that changes their bills. */
    insert: async (added: readonly PixDecision[], session: Session): Promise<void> => {
      if (added.length > 0) await decisions.insertMany(added.map(toDocument), { session });
    },
  };
}

const toDocument = ({ key, purpose, endToEndId, outcome, reason, paymentId }: PixDecision): PixDecisionDocument => ({
  _id: key,
  purpose,
  ...(endToEndId !== null && { end_to_end_id: endToEndId }),
  outcome,
  ...(reason !== null && { reason }),
  ...(paymentId !== null && { payment_id: paymentId }),
  decided_at: new Date(),
});
const toDecision = ({ _id: key, ...document }: PixDecisionDocument): PixDecision => ({
  key,
  purpose: document.purpose,
  endToEndId: document.end_to_end_id ?? null,
  outcome: document.outcome,
  reason: document.reason ?? null,
  paymentId: document.payment_id ?? null,
});
