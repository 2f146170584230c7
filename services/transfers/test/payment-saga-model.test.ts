import { describe, expect, test } from '@jest/globals';
import { explore, rules, type Scenario } from './support/payment-saga-model.ts';

/**
 * The scenarios to search: two or three tokens, or two instances with one token, and up to three crashes or lost responses at any
 * point.
 */
const scenarios: readonly (Scenario & { name: string })[] = [
  {
    name: 'a payment and a refund, and orders is restored',
    tokens: ['payment', 'refund'],
    workers: [0, 1],
    maxFaults: 1,
    mayRestore: true,
  },
  { name: 'a payment at two instances', tokens: ['payment'], workers: [0, 0], maxFaults: 3 },
  { name: 'a refund at two instances', tokens: ['payment', 'refund'], workers: [1, 1], maxFaults: 3, isPaid: true },
  { name: 'a payment and a refund', tokens: ['payment', 'refund'], workers: [0, 1], maxFaults: 3 },
  {
    name: 'two payments, and orders is restored',
    tokens: ['payment', 'payment'],
    workers: [0, 1],
    maxFaults: 0, // the restore stops every instance
    mayRestore: true,
  },
  { name: 'two payments', tokens: ['payment', 'payment'], workers: [0, 1], maxFaults: 3 },
  { name: 'two refunds', tokens: ['payment', 'refund', 'refund'], workers: [1, 2], maxFaults: 2, isPaid: true },
];

describe('a search through every state while a bill is paid from an account', () => {
  test.each(scenarios)(
    'finds that bill and journal agree, and that nothing stays claimed, for $name with crashes, lost responses and expiries',
    (scenario) => {
      const { states, defect } = explore(scenario);

      expect(defect).toBeNull();
      expect(states).toBeGreaterThan(500);
    },
  );

  test.each(rules)('finds a defect if the rule "%s" is removed', (rule) => {
    const found = scenarios.find((scenario) => explore(scenario, rule).defect !== null);

    expect(found).toBeDefined();
  });
});
