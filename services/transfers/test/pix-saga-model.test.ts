import { describe, expect, test } from '@jest/globals';
import { replayPix } from './support/pix-replay.ts';
import { explorePix } from './support/pix-saga-model.ts';
import { pixRules, type PixScenario } from './support/pix-saga-state.ts';

/** Each scenario has late and repeated calls, and people who do anything at any time. */
const scenarios: readonly (PixScenario & { name: string })[] = [
  {
    name: 'a Pix that is confirmed, assigned and refunded twice, and a restore of orders',
    pix: ['e1'],
    refunds: { e1: 2, e2: 0 },
    hasWrongAmounts: true,
    hasStaff: true,
    mayRestore: 'orders',
  },
  {
    name: 'a Pix that is confirmed, assigned and refunded twice, and a restore of transfers',
    pix: ['e1'],
    refunds: { e1: 2, e2: 0 },
    hasWrongAmounts: true,
    hasStaff: true,
    mayRestore: 'transfers',
  },
  {
    name: 'a Pix that the bank returns by itself',
    pix: ['e1'],
    refunds: { e1: 2, e2: 0 },
    hasWrongAmounts: true,
    mayReturn: true,
  },
  { name: 'two Pix for one code, with a refund each', pix: ['e1', 'e2'], refunds: { e1: 1, e2: 1 }, hasStaff: true },
  {
    name: 'two Pix for one code, and a restore of orders',
    pix: ['e1', 'e2'],
    refunds: { e1: 0, e2: 0 },
    hasWrongAmounts: true,
    hasStaff: true,
    mayRestore: 'orders',
  },
];

describe('a search through every state while Pix pay for a bill', () => {
  test.each(scenarios)('finds that bill, list and bank agree in the end, for $name', (scenario) => {
    const { states, defect } = explorePix(scenario);

    expect(defect).toBeNull();
    expect(states).toBeGreaterThan(2000);
  });

  test.each(pixRules)('finds a defect if the rule "%s" is removed', (rule) => {
    const found = scenarios.find((scenario) => explorePix(scenario, rule).defect !== null);

    expect(found).toBeDefined();
  });
});

describe('a recorded history', () => {
  const paid = ['none unknown', 'reserved unknown', 'reserved settling', 'paid settling', 'paid settled'];
  const refunded = ['paid refunding', 'refunding refunding', 'refunded refunding', 'refunded refunded'];

  test.each([
    ['a Pix that pays', paid],
    ['a Pix that is refunded', [...paid, ...refunded]],
    ['a refund that fails', [...paid, ...refunded.slice(0, 2), 'refunding settling', 'paid settling', 'paid settled']],
    ['a Pix that comes late', [...paid.slice(0, 2), 'cancelled unknown', 'cancelled settling', 'paid settling']],
  ])('is one of the model for %s', (_what, history) => {
    expect(replayPix(history)).toBeNull();
  });

  test.each([
    [
      'that is settled before orders says so',
      'reserved settling -> reserved settled',
      [...paid.slice(0, 3), 'reserved settled'],
    ],
    [
      'that is paid before the bank knows it',
      'reserved unknown -> paid unknown',
      [...paid.slice(0, 2), 'paid unknown'],
    ],
    [
      'that is refunded while its payment is paid',
      'paid refunding -> paid refunded',
      [...paid, 'paid refunding', 'paid refunded'],
    ],
    ['that is refunded twice', 'refunded refunded -> refunding refunded', [...paid, ...refunded, 'refunding refunded']],
  ])('is none of the model for a Pix %s', (_what, change, history) => {
    expect(replayPix(history)).toBe(change);
  });
});
