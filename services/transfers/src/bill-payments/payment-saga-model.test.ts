import { describe, expect, test } from '@jest/globals';
import { explore, rules, type Scenario } from './payment-saga-model.ts';

/** Two tokens, or two instances with one token, and up to three crashes or lost answers anywhere. */
const scenarios: readonly (Scenario & { name: string })[] = [
  { name: 'two payments', tokens: ['payment', 'payment'], workers: [0, 1], maxFaults: 3 },
  { name: 'a payment at two instances', tokens: ['payment'], workers: [0, 0], maxFaults: 3 },
  { name: 'a payment and a refund', tokens: ['payment', 'refund'], workers: [0, 1], maxFaults: 3 },
  {
    name: 'two refunds, one at two instances',
    tokens: ['payment', 'refund', 'refund'],
    workers: [1, 1, 2],
    maxFaults: 1,
    isPaid: true,
  },
];

describe('every state of paying a bill from an account', () => {
  test.each(scenarios)(
    'when $name run with crashes, lost answers and expiries, then the bill and the journal agree, and nothing stays claimed',
    (scenario) => {
      const { states, defect } = explore(scenario);

      expect(defect).toBeNull();
      expect(states).toBeGreaterThan(500);
    },
  );

  test.each(rules)('when the rule "%s" is taken out, then a defect is found', (rule) => {
    const found = scenarios.find((scenario) => explore(scenario, rule).defect !== null);

    expect(found).toBeDefined();
  });
});
