import { CallFailure } from '@comanda/client/core';
import type { Station } from '@comanda/contracts/stations';
import { liveClient } from '@comanda/testing/live-client';
import { expect, test } from '@jest/globals';
import { saveStation } from './save-station.ts';

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
      setStation: () => Promise.reject(refused),
      putStation: (station: Station) => Promise.resolve(put.push(station)).then(() => station),
    });

    await saveStation(client, kitchen(1));
    for (const station of ['Balcão', 'Pizza oven', '..'])
      await expect(saveStation(client, { ...kitchen(1), station })).rejects.toBe(refused);

    expect(put).toEqual([kitchen(1)]);
  },
);
