import { CallFailure, type Client } from '@comanda/client';
import type { Station } from '@comanda/contracts/stations';
import { textKey } from '@comanda/contracts/text-key';
import { signal } from '@preact/signals';
import { isListOf, stored } from '@comanda/ui/stored-setting.ts';

const readEveryMs = 60_000;

/** The names that release 1.0.0 can set: it has them in the path, where the gateway takes no escapes. */
const inPath = /^(?!\.{1,2}$)[A-Za-z0-9._~-]+$/;

/** Whether the service is of an earlier release, for minutes of an update, and has no such endpoint. */
export const isOlderService = (failure: unknown): boolean =>
  failure instanceof CallFailure && (failure.is('method_not_allowed') || failure.is('not_found'));

/** @throws CallFailure */
async function save({ calls }: Client, station: Station): Promise<Station> {
  try {
    return await calls.setStation(station);
  } catch (failure) {
    if (isOlderService(failure) && inPath.test(station.station)) return await calls.putStation(station);
    throw failure;
  }
}

export type StationSettings = ReturnType<typeof openStationSettings>;

/** How the stations work, as managers have set them: read every minute, and kept on the device for when there is no network. */
export function openStationSettings(client: Client) {
  const kept = stored('kitchen.stations', isListOf<Station>('station', 'bumps', 'amber_minutes'), []);
  const stations = signal<readonly Station[]>(kept.get());
  const state = { isClosed: false, puts: 0 };
  function set(next: readonly Station[]): void {
    // What is the same stays the same object, and no card is painted again.
    if (JSON.stringify(next) === JSON.stringify(stations.peek())) return;
    stations.value = next;
    kept.write(next);
  }
  /** @throws CallFailure */
  async function readNow(): Promise<void> {
    const { puts } = state;
    const found = await client.calls.listStations();
    // The answer may be older than what was put meanwhile.
    if (puts !== state.puts) return await readNow();
    if (!state.isClosed) set(found);
  }
  async function read(): Promise<void> {
    if (client.who() === null) return;
    try {
      await readNow();
    } catch (failure) {
      if (!(failure instanceof CallFailure)) throw failure; // what is known stays
    }
  }
  const timer = setInterval(() => void read(), readEveryMs);
  void read();
  return {
    stations,
    read,
    readNow,
    /** @throws CallFailure */
    put: async (station: Station): Promise<void> => {
      const saved = await save(client, station);
      state.puts += 1;
      set([...stations.peek().filter((each) => textKey(each.station) !== textKey(saved.station)), saved]);
    },
    close: (): void => {
      state.isClosed = true;
      clearInterval(timer);
    },
  };
}
