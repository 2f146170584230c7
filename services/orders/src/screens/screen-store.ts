import { maxScreensOfUser } from '@comanda/contracts/rules';
import type { Screen } from '@comanda/contracts/screens';
import { collectionOf, collectionSchema, embeddedSchema } from '@comanda/shared/mongo/collections';
import type { Connection } from 'mongoose';

/** A screen's last report. Its `_id` is the screen's name. */
type ScreenDocument = Pick<Screen, 'shows' | 'station' | 'build' | 'sound' | 'display' | 'live' | 'reported_by'> & {
  _id: string;
  reported_at: Date;
};
export type StoredScreen = Omit<Screen, 'on' | 'reported_at'> & { reported_at: Date };

const dayS = 24 * 3600;
const shortText = { type: String, required: true, maxlength: 16 };

export const screenSchema = collectionSchema<ScreenDocument>('screens', {
  _id: { type: String, maxlength: 64 },
  // A later release may allow other values, so only the length is checked.
  shows: shortText,
  station: { type: String, maxlength: 32 },
  build: { type: String, maxlength: 64 },
  sound: shortText,
  display: shortText,
  live: { type: Boolean, required: true },
  reported_by: {
    type: embeddedSchema<Screen['reported_by']>({
      id: { type: Number, required: true },
      name: { type: String, required: true, maxlength: 255 },
    }),
    required: true,
  },
  reported_at: { type: Date, required: true },
})
  // MongoDB deletes a screen that has sent no report for a day.
  .index({ reported_at: 1 }, { expireAfterSeconds: dayS });

const maxScreens = 200;

export type ScreenStore = ReturnType<typeof createScreenStore>;

/** Creates the store for screens that have sent a report in the last 24 hours. */
export function createScreenStore(connection: Connection) {
  const screens = collectionOf(connection, screenSchema);
  /** Removes a user's oldest screens above the limit, so that invented screen names can't fill the database or the list. */
  async function removeSurplus(userId: number): Promise<void> {
    const surplus = await screens
      .find({ 'reported_by.id': userId }, { projection: { _id: 1 }, maxTimeMS: 900 })
      .sort({ reported_at: -1 })
      .skip(maxScreensOfUser)
      .toArray();
    const ids = surplus.map(({ _id }) => _id);
    if (ids.length > 0) await screens.deleteMany({ _id: { $in: ids } }, { maxTimeMS: 900 });
  }
  return {
    put: async ({ screen, ...report }: StoredScreen): Promise<void> => {
      const { upsertedCount } = await screens.replaceOne({ _id: screen }, report, { upsert: true, maxTimeMS: 900 });
      if (upsertedCount > 0) await removeSurplus(report.reported_by.id);
    },
    /** Finds the screens that have sent a report since `since`, latest report first. */
    findSince: async (since: Date): Promise<StoredScreen[]> => {
      const found = await screens
        .find({ reported_at: { $gte: since } })
        .sort({ reported_at: -1 })
        .limit(maxScreens)
        .toArray();
      return found.map(({ _id: screen, ...report }) => ({ screen, ...report }));
    },
  };
}
