import { expect, test } from '@jest/globals';
import { changeOfRestaurant } from './change-of-restaurant.ts';
import { emptyProfile } from './restaurant-profile.ts';
import { defaultSettings } from './restaurant-settings.ts';

const who = { at: new Date('2026-11-20T21:00:00.000Z'), actor: { id: 3, name: 'Marta', role: 'manager' } } as const;
const before = { ...defaultSettings, ...emptyProfile };

test('a change of the settings lists only what differs', () => {
  const after = { ...before, version: 1, accent: '#b03420', tipSuggestions: ['5.00'] };

  expect(changeOfRestaurant({ before, after }, who)).toEqual({
    ...who,
    before: { accent: null, tip_suggestions: [] },
    after: { accent: '#b03420', tip_suggestions: ['5.00'] },
  });
});

test("a change of the guests' Wi-Fi is recorded without the network's name and password", () => {
  const after = { ...before, version: 1, wifi: { ssid: 'Comanda', password: 'boa-comida-2026' } };

  expect(changeOfRestaurant({ before, after }, who)).toEqual({ ...who, before: {}, after: { wifi_changed: true } });
});

test("a change that only increases the version isn't recorded", () => {
  expect(changeOfRestaurant({ before, after: { ...before, version: 1 } }, who)).toBeNull();
});
