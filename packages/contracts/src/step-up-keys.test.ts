import { expect, test } from '@jest/globals';
import { endpoints } from './registry.ts';
import { describedDetails } from './step-up-keys.ts';
import { sensitive as listed, stepUpKeys } from './step-up.ts';

const sensitive = endpoints.flatMap((contract) => (contract.stepUp ? [{ ...contract, stepUp: contract.stepUp }] : []));

test('a token can be issued for the key in every contract with stepUp', () => {
  expect([...stepUpKeys.keys()].toSorted()).toEqual([...new Set(sensitive.map(({ stepUp }) => stepUp.key))].toSorted());
});

test.each(sensitive)(
  '$name has the same service, details type, strictness and callers as other calls with its key',
  ({ stepUp, service, who }) => {
    expect(stepUpKeys.get(stepUp.key)).toMatchObject({
      type: stepUp.details.type,
      needsDetails: stepUp.required === true,
      service,
      who,
    });
  },
);

test('the audit trail can describe the longest name that a manager authorizes', () => {
  const details = { type: 'menu_management', name: 'x'.repeat(255), price: '1.00' };

  expect(describedDetails(listed).validate(details).error).toBeUndefined();
});
