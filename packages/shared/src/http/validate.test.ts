import { describe, expect, test } from '@jest/globals';
import { problemSchema } from '@comanda/contracts/problem-members';
import { Problem, problemBody } from '@comanda/contracts/problem';
import { id, object, optional } from '@comanda/contracts/schema';
import { validate } from './validate.ts';

const one = object({ id: optional(id()) });
const together = object({
  kind: optional(id()),
  amount: optional(id()),
  reverses: optional(id()),
  other: optional(id()),
})
  .xor('kind', 'reverses')
  .and('kind', 'amount')
  .without('reverses', 'other');

const failureOf = (value: unknown, paramIn?: 'query', schema: Parameters<typeof validate>[0] = one): Problem => {
  try {
    validate(schema, value, paramIn);
  } catch (error) {
    if (error instanceof Problem) return error;
  }
  throw new Error('the value was accepted');
};

describe('validation', () => {
  test.each(['plain', 'a/b~c', '\u001b[2J', 'half \ud83d', `${'x'.repeat(63)}😀`, '', '__proto'])(
    'reports the unknown key %j in a problem that follows its contract',
    (key) => {
      const failure = failureOf({ [key]: 'a value' });
      const body = problemBody(failure, 'r-1');

      expect(problemSchema('validation_failed').validate(body, { convert: false }).error).toBeUndefined();

      const detail = failure.members.errors?.[0]?.detail;

      expect(detail).toMatch(/is not allowed$/);
      expect(detail).not.toMatch(/[\u0000-\u001f]/);
      expect(JSON.stringify(body)).not.toContain('a value');
    },
  );

  test('escapes a slash and a tilde in the pointer', () => {
    expect(failureOf({ 'a/b~c': 1 }).members.errors?.[0]?.pointer).toBe('/a~1b~0c');
  });

  test.each([
    [{ kind: 1 }, ['/amount']],
    [{ kind: 1, amount: 1, reverses: 1 }, ['/kind', '/reverses']],
    [{ reverses: 1, other: 1 }, ['/other']],
    [{}, ['']],
  ])('points to the keys of %j that do not fit together', (value, pointers) => {
    expect(failureOf(value, undefined, together).members.errors?.map(({ pointer }) => pointer)).toEqual(pointers);
  });

  test.each(['1e3', '007', '+7', '0x10', ' 7', '7.0'])('rejects a number written as %j in a query', (text) => {
    expect(failureOf({ id: text }, 'query').code).toBe('validation_failed');
  });
});
