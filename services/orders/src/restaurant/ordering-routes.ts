import { getOrdering, putOrdering } from '@comanda/contracts/ordering';
import type { Api } from '@comanda/shared/http/api';
import { toOrdering } from './ordering-pause.ts';
import { pauseOrdering, type PauseOrderingDeps } from './pause-ordering.ts';

export function registerOrderingRoutes({ handle }: Api, deps: PauseOrderingDeps): void {
  const { pause, clock } = deps;

  handle(getOrdering, async () => ({ status: 200, body: toOrdering(await pause.get(), new Date(clock())) }));
  handle(putOrdering, async (call) => ({ status: 200, body: await pauseOrdering(deps, call) }));
}
