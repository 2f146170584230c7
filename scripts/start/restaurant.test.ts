import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { chooseRestaurant, readRestaurant, writeRestaurant } from './restaurant.ts';

describe('the restaurant in npm start', () => {
  test.each([
    ['has the demo data', { stored: null, wantsEmpty: false, simulates: false }, 'demo'],
    ['has the demo data for a simulation', { stored: null, wantsEmpty: false, simulates: true }, 'demo'],
    ['is empty with --empty', { stored: null, wantsEmpty: true, simulates: false }, 'empty'],
    ['keeps the demo data', { stored: 'demo', wantsEmpty: false, simulates: true }, 'demo'],
    ['stays empty without --empty', { stored: 'empty', wantsEmpty: false, simulates: false }, 'empty'],
    ['stays empty with --empty', { stored: 'empty', wantsEmpty: true, simulates: false }, 'empty'],
  ] as const)('%s', (_what, wish, restaurant) => {
    expect(chooseRestaurant(wish)).toBe(restaurant);
  });

  test("isn't emptied if it has the demo data", () => {
    expect(() => chooseRestaurant({ stored: 'demo', wantsEmpty: true, simulates: false })).toThrow(
      /npm start -- --empty --reset$/,
    );
  });

  test("isn't simulated if it was started empty", () => {
    expect(() => chooseRestaurant({ stored: 'empty', wantsEmpty: false, simulates: true })).toThrow(
      /^--simulate needs the demo data/,
    );
  });
});

describe("the restaurant's marker file", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'restaurant-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const read = () => readRestaurant(join(folder, 'restaurant'), join(folder, 'seeded'));

  test('is missing at the first start', () => {
    expect(read()).toBeNull();
  });
  test.each(['empty', 'demo'] as const)('says that the restaurant is %s', (restaurant) => {
    writeRestaurant(join(folder, 'restaurant'), restaurant);
    expect(read()).toBe(restaurant);
  });
  test('can be missing if an older release stored the demo data', () => {
    writeFileSync(join(folder, 'seeded'), '');
    expect(read()).toBe('demo');
  });
});
