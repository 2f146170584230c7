import { expect, test } from '@jest/globals';
import { readLateMinutes } from './late-limits.ts';

const at = (time: string): Date => new Date(`2026-11-20T${time}:00Z`);
const limits = (late_minutes: number) => ({ amber_minutes: 1, late_minutes, dishes: [] });
const ofMains = (late_minutes: number) => [{ category: 'Mains', amber_minutes: 1, late_minutes }];

/** The bar was late after 10 minutes until 19:00, 12 until 20:00, then 14; mains after 20 until 20:00, then 25. */
const stores = {
  menu: { getAll: () => Promise.resolve([{ id: 1, category: 'Mains' }] as never) },
  stations: {
    findLimits: () =>
      Promise.resolve([
        {
          station: 'bar',
          ...limits(14),
          earlier: [
            { until: at('19:00'), ...limits(10) },
            { until: at('20:00'), ...limits(12) },
          ],
        },
      ]),
  },
  settings: { get: () => Promise.resolve({ categoryLimits: ofMains(25) } as never) },
  restaurantChanges: {
    findReplacedLimits: () => Promise.resolve([{ until: at('20:00'), limits: ofMains(20) }]),
  },
};

test.each([
  ['a drink', 2, 'bar', '18:59', 10],
  ['a drink', 2, 'bar', '19:00', 12],
  ['a drink', 2, 'bar', '20:00', 14],
  ['a main', 1, 'kitchen', '19:59', 20],
  ['a main', 1, 'kitchen', '20:00', 25],
  ['a dish of a station without settings', 2, 'kitchen', '20:00', 8],
])('%s (%s) of the %s that is ready at %s is late after %s minutes', async (...row) => {
  const [, dishId, station, time, minutes] = row;
  const lateMinutes = await readLateMinutes(stores, at('18:00'));

  expect(lateMinutes({ dishId, station }, at(time))).toBe(minutes);
});
