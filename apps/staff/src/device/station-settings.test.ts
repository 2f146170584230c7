import { CallFailure, type Client } from '@comanda/client';
import type { Station } from '@comanda/contracts/stations';
import { expect, test } from '@jest/globals';
import { openStationSettings } from './station-settings.ts';

const kitchen = (bumps: Station['bumps']): Station => ({
  station: 'kitchen',
  bumps,
  amber_minutes: 5,
  late_minutes: 8,
  dishes: [],
});

test('when a station is set while the stations are being read, then the older answer does not undo it', async () => {
  const asked: ((stations: Station[]) => void)[] = [];
  const calls = {
    listStations: () => new Promise<Station[]>((resolve) => asked.push(resolve)),
    setStation: (station: Station) => Promise.resolve(station),
  };
  const settings = openStationSettings({ calls, who: () => ({ userId: 7 }) } as unknown as Client);
  await settings.put(kitchen(1));
  asked[0]?.([kitchen(3)]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(settings.stations.value).toEqual([kitchen(1)]);
  asked[1]?.([kitchen(1)]);
  settings.close();
});

test.each(['method_not_allowed', 'not_found'] as const)(
  'a service of release 1.0.0, which answers %s, is sent the name in the path if it can be there',
  async (code) => {
    const put: Station[] = [];
    const refused = new CallFailure('no such endpoint', { code, outcome: 'none' });
    const calls = {
      listStations: () => Promise.resolve([]),
      setStation: () => Promise.reject(refused),
      putStation: (station: Station) => Promise.resolve(put.push(station)).then(() => station),
    };
    const settings = openStationSettings({ calls, who: () => ({ userId: 7 }) } as unknown as Client);

    await settings.put(kitchen(1));
    for (const station of ['Balcão', 'Pizza oven', '..'])
      await expect(settings.put({ ...kitchen(1), station })).rejects.toBe(refused);

    expect([put, settings.stations.value]).toEqual([[kitchen(1)], [kitchen(1)]]);
    settings.close();
  },
);
