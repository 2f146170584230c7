import type { Connection } from 'mongoose';
import { collectionOf, collectionSchema } from '@comanda/shared/mongo/collections';
import { isDuplicate } from '@comanda/shared/mongo/transactions';

/**
 * Marks that all instances share. `reading`: everything up to `until` was read. `late`, `returns`: a longer period that is read
 * again, from `next` on. `lease`: which instance asks. `hint`: when a hint has last asked. `bank`: when the bank may be asked
 * again.
 */
type MarkDocument = { _id: string; at?: Date; until?: Date; next?: Date; by?: string };
export const markSchema = collectionSchema<MarkDocument>('pix_marks', {
  _id: { type: String },
  at: { type: Date, allowNull: false },
  until: { type: Date, allowNull: false },
  next: { type: Date, allowNull: false },
  by: { type: String, allowNull: false },
});
/** A period that is read in parts: what is left of it, and when it was begun. */
export type Period = { at: Date; next: Date; until: Date };
export type PeriodName = 'late' | 'returns';
export type MarkStore = ReturnType<typeof createMarkStore>;

const dayAfter = (time: Date): Date => new Date(time.getTime() + 24 * 3600_000);

/** Creates the store for the marks with which all instances together ask the bank no more than one would. */
export function createMarkStore(connection: Connection) {
  const marks = collectionOf(connection, markSchema);
  /** Runs an upsert whose filter may not match an existing mark. Returns false then. */
  async function upsert(filter: object, set: Partial<MarkDocument>): Promise<boolean> {
    try {
      const { modifiedCount, upsertedCount } = await marks.updateOne(filter, { $set: set }, { upsert: true });
      return modifiedCount + upsertedCount > 0;
    } catch (error) {
      if (isDuplicate(error)) return false;
      throw error;
    }
  }
  return {
    /** Takes or keeps the lease until `until`. Returns false while another instance has it. */
    takeLease: (by: string, { now, until }: { now: Date; until: Date }): Promise<boolean> =>
      upsert(
        { _id: 'lease', $or: [{ by }, { until: { $lte: now } }, { until: { $gt: new Date(now.getTime() + 60_000) } }] },
        { by, until },
      ),
    giveLeaseBack: async (by: string): Promise<void> => {
      await marks.deleteOne({ _id: 'lease', by });
    },
    /** Returns until when everything was read; null before the first reading. */
    findRead: async (): Promise<Date | null> => (await marks.findOne({ _id: 'reading' }))?.until ?? null,
    setRead: async (until: Date): Promise<void> => {
      await marks.updateOne({ _id: 'reading' }, { $max: { until } }, { upsert: true });
    },
    findPeriod: async (name: PeriodName): Promise<Period | null> => {
      const { at, next, until } = (await marks.findOne({ _id: name })) ?? {};
      return at && next && until ? { at, next, until } : null;
    },
    setPeriod: async (name: PeriodName, period: Period): Promise<void> => {
      await marks.updateOne({ _id: name }, { $set: period }, { upsert: true });
    },
    /** Returns true if no hint has asked within the last second. The caller then asks. */
    mayHint: (now: Date): Promise<boolean> =>
      upsert(
        { _id: 'hint', $or: [{ at: { $lte: new Date(now.getTime() - 1000) } }, { at: { $gt: now } }] },
        { at: now },
      ),
    /** Notes that the bank must not be asked before `until`, which is at most a day away. A pause never gets shorter. */
    setPause: async ({ now, until }: { now: Date; until: Date }): Promise<void> => {
      const atMost = dayAfter(now);
      const last = new Date(Math.min(until.getTime(), atMost.getTime()));
      const filter = { _id: 'bank', $or: [{ until: { $lt: last } }, { until: { $gt: atMost } }] };
      await upsert(filter, { until: last });
    },
    /** A pause that ends in more than a day was noted while a clock was wrong. */
    isPaused: async (now: Date): Promise<boolean> => {
      const { until } = (await marks.findOne({ _id: 'bank' })) ?? {};
      return until !== undefined && until > now && until <= dayAfter(now);
    },
  };
}
