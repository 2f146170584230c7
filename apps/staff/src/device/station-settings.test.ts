import { CallFailure } from '@comanda/client/core';
import { liveClient } from '@comanda/testing/live-client';
import { expect, test } from '@jest/globals';
import { openSettings } from './settings.ts';
import { openStationSettings } from './station-settings.ts';

test('stations that cannot be loaded are not edited', async () => {
  const refused = new CallFailure('no network', { code: 'unreachable', outcome: 'none' });
  const { client } = liveClient({ listStations: () => Promise.reject(refused) });
  const settings = openStationSettings(client, openSettings());

  await expect(settings.loadNow()).rejects.toBe(refused);
  settings.close();
});
