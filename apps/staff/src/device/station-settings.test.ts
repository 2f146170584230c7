import { CallFailure } from '@comanda/client';
import type { Station } from '@comanda/contracts/stations';
import { liveClient } from '@comanda/testing/live-client';
import { expect, test } from '@jest/globals';
import { openStationSettings } from './station-settings.ts';

const kitchen = (bumps: Station['bumps']): Station => ({
  station: 'kitchen',
  bumps,
  amber_minutes: 5,
  late_minutes: 8,
  dishes: [],
});

test.each(['method_not_allowed', 'not_found'] as const)(
  'release 1.0.0, which rejects the call with %s, gets the name in the path if it fits there',
  async (code) => {
    const put: Station[] = [];
    const refused = new CallFailure('no such endpoint', { code, outcome: 'none' });
    const { client } = liveClient({
      listStations: () => Promise.resolve([]),
      setStation: () => Promise.reject(refused),
      putStation: (station: Station) => Promise.resolve(put.push(station)).then(() => station),
    });
    const settings = openStationSettings(client);

    await settings.put(kitchen(1));
    for (const station of ['Balcão', 'Pizza oven', '..'])
      await expect(settings.put({ ...kitchen(1), station })).rejects.toBe(refused);

    expect([put, settings.stations.value]).toEqual([[kitchen(1)], [kitchen(1)]]);
    settings.close();
  },
);

test('stations that cannot be loaded are not edited', async () => {
  const refused = new CallFailure('no network', { code: 'unreachable', outcome: 'none' });
  const { client } = liveClient({ listStations: () => Promise.reject(refused) });
  const settings = openStationSettings(client);

  await expect(settings.loadNow()).rejects.toBe(refused);
  settings.close();
});
