import { getStops, putStop as putStopContract } from '@comanda/contracts/stops';
import type { Api } from '@comanda/shared/http/api';
import { originOf } from '../security-log/security-event.ts';
import { putStop, type PutStopDeps } from './put-stop.ts';
import { toStopsResponse } from './stop.ts';

export function registerStopRoutes({ handle }: Api, deps: PutStopDeps): void {
  handle(getStops, async () => ({ status: 200, body: toStopsResponse(await deps.stops.get()) }));
  handle(putStopContract, async (call) => {
    const { stops, consent } = await putStop(deps, call, originOf(call));
    return { status: 200, body: toStopsResponse(stops), consent };
  });
}
