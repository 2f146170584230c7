import { listStations, putStation as putStationContract } from '@comanda/contracts/stations';
import type { Api } from '@comanda/shared/http/api';
import { putStation } from './put-station.ts';
import type { StationStore } from './station-store.ts';

export function registerStationRoutes({ handle }: Api, deps: { stations: StationStore }): void {
  handle(listStations, async () => ({ status: 200, body: await deps.stations.find() }));
  handle(putStationContract, async (call) => ({ status: 200, body: await putStation(deps, call) }));
}
