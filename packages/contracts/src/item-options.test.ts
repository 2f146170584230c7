import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { askedOptions } from './item-options.ts';

const nested = (levels: number): unknown => (levels === 0 ? [] : [{ id: 31, options: nested(levels - 1) }]);
const tooMany = Array.from({ length: 51 }, () => ({ id: 31 }));

/** A list of options mostly as the contract says, with single faults. */
const { options: lists } = fc.letrec<{ options: unknown; option: unknown }>((tie) => ({
  options: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom<unknown>([], nested(1), nested(2), nested(3), nested(4), tooMany, {}, null, 'options'),
    fc.array(tie('option'), { maxLength: 3 }),
  ),
  option: fc.oneof(
    {
      weight: 20,
      arbitrary: fc.record(
        {
          id: fc.constantFrom<unknown>(31, 31, 31, 31, 1, 0, -1, 1.5, '31', null, Number.MAX_SAFE_INTEGER, 1e300),
          quantity: fc.constantFrom<unknown>(1, 1, 1, 20, 21, 0, '1', undefined),
          options: tie('options'),
        },
        { requiredKeys: ['id'] },
      ),
    },
    { weight: 1, arbitrary: fc.constantFrom<unknown>({}, { id: 31, name: 'Calabresa' }, [], 31, null) },
  ),
}));

test('the check that saves time accepts only options that joi accepts', () => {
  const validate = (value: unknown, cache: boolean) =>
    askedOptions.validate(value, { abortEarly: false, convert: false, cache });
  let accepted = 0;
  fc.assert(
    fc.property(lists, (value) => {
      const [quick, slow] = [validate(value, true), validate(value, false)];
      accepted += quick.error ? 0 : 1;

      expect(quick.value).toEqual(slow.value);
      expect(quick.error?.details).toEqual(slow.error?.details);
    }),
    { numRuns: 2000 },
  );

  expect(accepted).toBeGreaterThan(100);
});
