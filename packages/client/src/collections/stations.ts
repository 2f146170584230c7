import type { Station } from '@comanda/contracts/stations';
import type { Source } from '../live/source.ts';

/** How the stations of the kitchen work. No event reports a change, so they are compared every minute. */
export const stations: Source<Station> = {
  name: 'stations',
  load: async function* loadStations({ calls: { listStations } }, options) {
    yield await listStations({}, options);
  },
  idOf: ({ station }) => station, // in its first spelling, which it keeps
  compareEveryMs: 60_000,
};
