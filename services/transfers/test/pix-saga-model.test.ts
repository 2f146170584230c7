import { describe, expect, test } from '@jest/globals';
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
