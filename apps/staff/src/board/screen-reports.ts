import type { Client, FeedState, Input } from '@comanda/client/core';
import { screenReportSeconds } from '@comanda/contracts/rules';
import { buildId } from '@comanda/ui/web-app/build-id.ts';
import { effect, type ReadonlySignal } from '@preact/signals';
import { allStations, expediter } from '../bumps/ticket.ts';
import type { Device } from '../device/device.ts';

type Deps = {
  client: Pick<Client, 'calls' | 'who'>;
  device: Pick<Device, 'name' | 'settings' | 'sounds' | 'awake'>;
  feedState: ReadonlySignal<FeedState>;
};
/** Simultaneous changes, as at the start of a shift, are reported together. */
const pauseMs = 1_000;
const displays = { kept: 'stays_on', impossible: 'may_sleep', unknown: 'unknown' } as const;

/** Reports to managers that this screen is on, and its state: every minute, and when something changes. */
export function openScreenReports({ client, device, feedState }: Deps) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;
  function reportOf(): Input<'reportScreen'> {
    const station = device.settings.station.value;
    const shows = station === allStations ? 'all_stations' : station === expediter ? 'expediter' : 'station';
    return {
      screen: device.name,
      shows,
      station: shows === 'station' ? station : null,
      build: buildId() || null,
      sound: device.sounds.state.value,
      display: displays[device.awake.state.value],
      live: feedState.value.kind === 'live',
    };
  }
  function schedule(ms: number): void {
    clearTimeout(timer);
    if (!isClosed) timer = setTimeout(() => void send(), ms);
  }
  async function send(): Promise<void> {
    schedule(screenReportSeconds * 1_000);
    if (client.who() === null) return;
    // A lost report is repeated a minute later; until then, managers see that the screen is off.
    await client.calls.reportScreen(reportOf(), { repeat: 'never' }).catch(() => {});
  }
  const stop = effect(() => {
    reportOf();
    schedule(pauseMs);
  });
  return {
    close: (): void => {
      isClosed = true;
      stop();
      clearTimeout(timer);
    },
  };
}
