import { screenReportSeconds } from '@comanda/contracts/rules';
import * as contracts from '@comanda/contracts/screens';
import type { Api } from '@comanda/shared/http/api';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { ScreenStore, StoredScreen } from './screen-store.ts';

const dayMs = 24 * 3600_000;
/**
 * How long a screen is shown as on after its last report, in milliseconds. One report may be lost, and the next one may be late.
 */
const onForMs = 2.5 * screenReportSeconds * 1000;

export function registerScreenRoutes(
  { handle }: Pick<Api, 'handle'>,
  { screens, clock }: { screens: ScreenStore; clock: Clock },
): void {
  handle(contracts.reportScreen, async ({ params, body, caller: { userId: id, name } }) => {
    const reported = { reported_by: { id, name }, reported_at: new Date(clock()) };
    await screens.put({ screen: params.screen, ...body, ...reported });
    return { status: 204 };
  });
  handle(contracts.listScreens, async () => {
    const now = clock();
    const found = await screens.findSince(new Date(now - dayMs));
    return { status: 200, body: found.map((screen) => toResponse(screen, now)) };
  });
}

const toResponse = ({ reported_at: at, ...screen }: StoredScreen, now: number): contracts.Screen => ({
  screen: screen.screen,
  shows: screen.shows,
  station: screen.station,
  build: screen.build,
  sound: screen.sound,
  display: screen.display,
  live: screen.live,
  on: now - at.getTime() < onForMs,
  reported_by: screen.reported_by,
  reported_at: at.toISOString(),
});
