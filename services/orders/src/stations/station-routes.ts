import { listStations, putStation, setStation as setStationContract } from '@comanda/contracts/stations';
import type { Api } from '@comanda/shared/http/api';
import type { Clock } from '@comanda/shared/runtime/clock';
import { setStation } from './set-station.ts';
import type { StationStore } from './station-store.ts';

export function registerStationRoutes({ handle }: Api, deps: { stations: StationStore; clock: Clock }): void {
  handle(listStations, async () => ({ status: 200, body: await deps.stations.find() }));
  handle(setStationContract, async ({ body }) => ({ status: 200, body: await setStation(deps, body) }));
  handle(putStation, async ({ params, body }) => ({
    status: 200,
    body: await setStation(deps, { ...params, ...body }),
  }));
}
