import type { Connection } from 'mongoose';
import type { Station } from '@comanda/contracts/stations';
import { textKey } from '@comanda/contracts/text-key';
import { collectionOf, collectionSchema, embeddedSchema } from '@comanda/shared/mongo/collections';

type DishLimits = Station['dishes'][number];
/** A station's settings. The `_id` is the station's name. */
type StationDocument = Omit<Station, 'station'> & { _id: string };

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
});

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
      return found.map(({ _id, ...settings }) => ({ station: _id, ...settings }));
    },
    /**
     * Finds the stored names that mean this station. There may be several, because an earlier release only compared names
     * exactly.
     */
    findNames: async (station: string): Promise<string[]> => {
      const found = await stations.find({}, { projection: { _id: 1 }, sort: { _id: 1 }, maxTimeMS: 900 }).toArray();
      return found.map(({ _id }) => _id).filter((name) => textKey(name) === textKey(station));
    },
    isFull: async (): Promise<boolean> => (await stations.countDocuments({}, { maxTimeMS: 900 })) >= maxStations,
    put: async ({ station, ...settings }: Station): Promise<void> => {
      await stations.replaceOne({ _id: station }, settings, { upsert: true, maxTimeMS: 900 });
    },
    remove: async (names: readonly string[]): Promise<void> => {
      await stations.deleteMany({ _id: { $in: names } }, { maxTimeMS: 900 });
    },
  };
}
