import { problem } from '@comanda/contracts/problem';
import type { putStation as contract, Station } from '@comanda/contracts/stations';
import type { Call } from '@comanda/shared/http/api';
import { maxStations, type StationStore } from './station-store.ts';

/**
 * `PUT /stations/{station}`: how the station works from now on, on all screens.
 * @throws 422 `unprocessable_content` if something turns amber only when it is late already, a dish is named twice, or
 * there are too many stations
 */
export async function putStation(
  { stations }: { stations: StationStore },
  { params, body }: Call<typeof contract>,
): Promise<Station> {
  const station = { station: params.station.trim(), ...body };
  checkLimits(station);
  if (await stations.isFull(station.station)) throw tooManyStations();
  await stations.put(station);
  return station;
}

function checkLimits({ dishes, ...own }: Station): void {
  const errors = [
    ...(own.amber_minutes < own.late_minutes ? [] : [{ pointer: '/amber_minutes', detail: mustBeSmaller }]),
    ...dishes.flatMap(({ item_id: id, amber_minutes: amber, late_minutes: late }, at) => [
      ...(amber < late ? [] : [{ pointer: `/dishes/${at}/amber_minutes`, detail: mustBeSmaller }]),
      ...(dishes.findIndex((dish) => dish.item_id === id) === at
        ? []
        : [{ pointer: `/dishes/${at}/item_id`, detail: 'must be named once only' }]),
    ]),
  ];
  if (errors.length > 0) throw problem('unprocessable_content', { errors });
}

const tooManyStations = () =>
  problem('unprocessable_content', {
    errors: [{ pointer: '/station', detail: `There are ${maxStations} stations already.`, in: 'path' }],
  });

const mustBeSmaller = 'must be smaller than late_minutes';
