import { problem } from '@comanda/contracts/problem';
import type { Station } from '@comanda/contracts/stations';
import type { Clock } from '@comanda/shared/runtime/clock';
import { limitErrors, orderErrors } from './limit-errors.ts';
import { maxStations, type StationStore } from './station-store.ts';

/**
 * `PUT /stations`: stores how a station works, for all its screens. Returns the station with its stored name.
 * @throws 422 `unprocessable_content` if an amber time isn't before its late time, a dish is listed twice, or there are too many
 * stations
 */
export async function setStation(
  { stations, clock }: { stations: StationStore; clock: Clock },
  station: Station,
): Promise<Station> {
  checkLimits(station);
  const [name, ...twins] = await stations.findNames(station.station);
  if (name === undefined && (await stations.isFull())) throw tooManyStations();
  const set = { ...station, station: name ?? station.station.trim() };
  await stations.put(set, new Date(clock()));
  await stations.remove(twins);
  return set;
}

function checkLimits({ dishes, ...own }: Station): void {
  const errors = [
    ...orderErrors(own, ''),
    ...limitErrors(dishes, { pointer: '/dishes', member: 'item_id', keyOf: (dish) => dish.item_id }),
  ];
  if (errors.length > 0) throw problem('unprocessable_content', { errors });
}

const tooManyStations = () =>
  problem('unprocessable_content', {
    errors: [{ pointer: '/station', detail: `there can be at most ${maxStations} stations` }],
  });
