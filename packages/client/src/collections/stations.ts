import type { Station } from '@comanda/contracts/stations';
import type { Source } from '../live/source.ts';

/** How each station in the kitchen works. The feed has no event for changes, so the list is fetched every minute. */
export const stations: Source<Station> = {
  name: 'stations',
  load: async function* loadStations({ calls: { listStations } }, options) {
    yield await listStations({}, options);
  },
  idOf: ({ station }) => station, // spelled as when the station first appeared
  compareEveryMs: 60_000,
};
