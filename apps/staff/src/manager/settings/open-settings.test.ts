import { expect, test } from '@jest/globals';
import type { Client } from '@comanda/client/core';
import { restaurant } from '@comanda/testing/stand/data';
import { openSettings } from './open-settings.ts';

test('the settings read the Wi-Fi after the version with which it is saved', async () => {
  const wifi = { ssid: 'Comanda', password: 'boa-comida-2026' };
  let current = { restaurant: { ...restaurant, version: 1 }, wifi };
  const later = <T>(read: () => T, ms: number): Promise<T> =>
    new Promise((resolve) => setTimeout(() => resolve(read()), ms));
  const calls = {
    getRestaurant: () => later(() => current.restaurant, 20),
    getWifi: () => later(() => ({ wifi: current.wifi }), 0),
  };
  const settings = openSettings({ calls } as unknown as Pick<Client, 'calls'>);

  const loading = settings.load();
  // Another manager saves while the settings are loading.
  setTimeout(() => {
    current = { restaurant: { ...restaurant, version: 2 }, wifi: { ssid: 'Cantina', password: wifi.password } };
  }, 10);
  await loading;

  expect(settings.stored.value).toMatchObject({ restaurant: { version: 2 }, wifi: { ssid: 'Cantina' } });
});
