import { expect, test } from '@jest/globals';
import { endpoints } from './registry.ts';
import { stepUpKeys } from './security.ts';

const sensitive = endpoints.flatMap((contract) => (contract.stepUp ? [{ ...contract, stepUp: contract.stepUp }] : []));

test('when a contract has stepUp, then tokens can be issued for its key', () => {
  expect([...stepUpKeys.keys()].toSorted()).toEqual([...new Set(sensitive.map(({ stepUp }) => stepUp.key))].toSorted());
});

test.each(sensitive)(
  'when $name shares its key with another call, then both are of one service, with details of one type, as strict, and the same callers',
  ({ stepUp, service, who }) => {
    expect(stepUpKeys.get(stepUp.key)).toMatchObject({
      type: stepUp.details.type,
      needsDetails: stepUp.required === true,
      service,
      who,
    });
  },
);
