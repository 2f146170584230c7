import type { Client, FeedState, Input } from '@comanda/client/core';
import { screenReportSeconds } from '@comanda/contracts/rules';
import { buildId } from '@comanda/ui/web-app/build-id.ts';
import { effect, type ReadonlySignal } from '@preact/signals';
import { allStations, expediter } from '../bumps/all-stations.ts';
import type { Device } from '../device/device.ts';

type Deps = {
  client: Pick<Client, 'calls' | 'who'>;
  device: Pick<Device, 'name' | 'settings' | 'sounds' | 'awake'>;
  feedState: ReadonlySignal<FeedState>;
};
/**
 * How long to wait for further changes before a report, in milliseconds. Several settings change at once at the start of a shift.
 */
const pauseMs = 1_000;
const displays = { kept: 'stays_on', impossible: 'may_sleep', unknown: 'unknown' } as const;

/** Reports this screen's state to managers: every minute, and when something changes. */
export function openScreenReports({ client, device, feedState }: Deps) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;
  function reportOf(): Input<'reportScreen'> {
    const station = device.settings.station.value;
    const shows = station === allStations ? 'all_stations' : station === expediter ? 'expediter' : 'station';
    return {
      screen: device.name.value,
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
    // A lost report isn't retried, because the next one follows within a minute. Until then, managers may see the screen as off.
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
