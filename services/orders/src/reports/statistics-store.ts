import type { FiguresBefore } from '@comanda/contracts/reports';
import mongoose, { type Connection } from 'mongoose';
import { collectionOf, collectionSchema, embeddedSchema } from '@comanda/shared/mongo/collections';
import type { Session } from '@comanda/shared/mongo/transactions';

/** What only the closing knows of a day's figures. Its orders have ids above `after`, up to `upTo`. */
export type DayStart = {
  open: { count: number; remaining: string };
  orders: { after: number; upTo: number };
};
/** The `_id` is the day's number. `figures` are absent until they are computed, after the closing. */
type StatisticsDocument = { _id: number; figures?: FiguresBefore } & DayStart;
const zeroOrMore = { type: Number, required: true, min: 0 };
export const statisticsSchema = collectionSchema<StatisticsDocument>('day_statistics', {
  _id: { type: Number, required: true, min: 1 },
  open: {
    type: embeddedSchema<DayStart['open']>({
      count: zeroOrMore,
      remaining: { type: String, required: true, maxlength: 24 },
    }),
    required: true,
  },
  orders: { type: embeddedSchema<DayStart['orders']>({ after: zeroOrMore, upTo: zeroOrMore }), required: true },
  figures: { type: mongoose.Schema.Types.Mixed },
});

export type StatisticsStore = ReturnType<typeof createStatisticsStore>;

/** Creates the store for the figures of closed days. */
export function createStatisticsStore(connection: Connection) {
  const statistics = collectionOf(connection, statisticsSchema);
  return {
    insert: async (number: number, start: DayStart, session: Session): Promise<void> => {
      await statistics.insertOne({ _id: number, ...start }, { session });
    },
    find: async (number: number): Promise<(DayStart & { figures: FiguresBefore | null }) | null> => {
      const found = await statistics.findOne({ _id: number });
      return found && { open: found.open, orders: found.orders, figures: found.figures ?? null };
    },
    setFigures: async (number: number, figures: FiguresBefore): Promise<void> => {
      await statistics.updateOne({ _id: number, figures: { $exists: false } }, { $set: { figures } });
    },
  };
}
