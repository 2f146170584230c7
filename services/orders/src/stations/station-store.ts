import type { Connection } from 'mongoose';
import { isDeepStrictEqual } from 'node:util';
import { defaultStation } from '@comanda/contracts/rules';
import type { Station } from '@comanda/contracts/stations';
import { textKey } from '@comanda/contracts/text-key';
import { collectionOf, collectionSchema, embeddedSchema } from '@comanda/shared/mongo/collections';
import { absentOr } from '../document-fields.ts';

type DishLimits = Station['dishes'][number];
type Limits = Pick<Station, 'amber_minutes' | 'late_minutes' | 'dishes'>;
/** Limits that held until a manager changed them at this time. */
type EarlierLimits = Limits & { until: Date };
/** A station's settings. The `_id` is the station's name. `earlier`: its last limits, oldest first; absent if there are none. */
type StationDocument = Omit<Station, 'station'> & { _id: string; earlier?: EarlierLimits[] };
/** A station's limits now, and before. */
type StationLimits = Limits & { station: string; earlier: readonly EarlierLimits[] };

const minutes = { type: Number, required: true, min: 1, max: 240 };
const dishLimits = embeddedSchema<DishLimits>({
  item_id: { type: Number, required: true, min: 1 },
  amber_minutes: minutes,
  late_minutes: minutes,
});
export const stationSchema = collectionSchema<StationDocument>('stations', {
  _id: { type: String, maxlength: 32 },
  bumps: { type: Number, required: true, min: 1, max: 3 },
  amber_minutes: minutes,
  late_minutes: minutes,
  dishes: { type: [dishLimits], required: true },
  earlier: absentOr([
    embeddedSchema<EarlierLimits>({
      until: { type: Date, required: true },
      amber_minutes: minutes,
      late_minutes: minutes,
      dishes: { type: [dishLimits], required: true },
    }),
  ]),
});
/** More changes in one evening are not expected. */
const maxEarlier = 20;
const limitsIn = ({ amber_minutes, late_minutes, dishes }: Limits): Limits => ({ amber_minutes, late_minutes, dishes });

/** The maximum number of stations with settings. Simultaneous writes may exceed it slightly; all stations are listed even then. */
export const maxStations = 100;

export type StationStore = ReturnType<typeof createStationStore>;

/** Creates the store for stations whose settings a manager has changed. All others use the contract's defaults. */
export function createStationStore(connection: Connection) {
  const stations = collectionOf(connection, stationSchema);
  return {
    /** Fetches all stations with settings, sorted by name. */
    find: async (): Promise<Station[]> => {
      const found = await stations.find({}, { sort: { _id: 1 } }).toArray();
      return found.map(({ _id, earlier: _earlier, ...settings }) => ({ station: _id, ...settings }));
    },
    /** Finds the limits of all stations with settings, and those that held before. */
    findLimits: async (): Promise<StationLimits[]> =>
      (await stations.find({}).toArray()).map(({ _id, earlier = [], ...now }) => ({
        station: _id,
        ...limitsIn(now),
        earlier,
      })),
    /**
     * Finds the stored names that mean this station. There may be several, because an earlier release only compared names
     * exactly.
     */
    findNames: async (station: string): Promise<string[]> => {
      const found = await stations.find({}, { projection: { _id: 1 }, sort: { _id: 1 }, maxTimeMS: 900 }).toArray();
      return found.map(({ _id }) => _id).filter((name) => textKey(name) === textKey(station));
    },
    isFull: async (): Promise<boolean> => (await stations.countDocuments({}, { maxTimeMS: 900 })) >= maxStations,
    /** Stores the settings, and until when the limits before held. */
    put: async ({ station, ...settings }: Station, at: Date): Promise<void> => {
      const before = await stations.findOne({ _id: station }, { maxTimeMS: 900 });
      const old = limitsIn(before ?? { ...defaultStation, dishes: [] });
      const known = before?.earlier ?? [];
      const isSame = isDeepStrictEqual(old, limitsIn(settings));
      const earlier = isSame ? known : [...known, { until: at, ...old }].slice(-maxEarlier);
      const stored = { ...settings, ...(earlier.length > 0 && { earlier }) };
      await stations.replaceOne({ _id: station }, stored, { upsert: true, maxTimeMS: 900 });
    },
    remove: async (names: readonly string[]): Promise<void> => {
      await stations.deleteMany({ _id: { $in: names } }, { maxTimeMS: 900 });
    },
  };
}
