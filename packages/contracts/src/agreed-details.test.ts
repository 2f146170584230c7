import { describe, expect, test } from '@jest/globals';
import { detailsDefects, detailsOf, type DetailsRule } from './agreed-details.ts';

const rule: DetailsRule = {
  type: 'gift',
  members: {
    to: 'id',
    amount: 'amount',
    from: { mayBeOpen: 'from' },
    note: { ifGiven: 'remark' },
    sets_password: { trueIfGiven: 'password' },
  },
};
const input = { id: 7, amount: '5', from: 3 };
const gift = { type: 'gift', to: 7, amount: '5', from: 3 };

describe('step-up details for a call', () => {
  test.each<[string, object, object | null]>([
    ['the required fields', input, gift],
    ['an optional field', { ...input, remark: 'hi' }, { ...gift, note: 'hi' }],
    ['a secret', { ...input, password: 'unusual-words' }, { ...gift, sets_password: true }],
    ["a field that isn't part of the details", { ...input, other: 1 }, gift],
    ['no payee', { amount: '5', from: 3 }, null],
    ['no value for a field that may be left open', { id: 7, amount: '5' }, null],
  ])('are correct when the input has %s', (_what, given, details) => {
    expect(detailsOf(rule, { ...given })).toEqual(details);
  });
});

describe('detailsDefects', () => {
  test.each<[string, { agreed?: object; done?: object }, string[]]>([
    ['is the same', {}, []],
    ['writes the amount differently', { done: { amount: '5.00' } }, []],
    ['writes the address differently', { agreed: { email: ' A@b.c' }, done: { email: 'a@B.c' } }, []],
    ['has another amount', { done: { amount: '5.01' } }, ['amount']],
    ['has an additional field', { done: { note: 'hi' } }, ['note']],
    ['lacks a field', { agreed: { note: 'hi' } }, ['note']],
    ['has a value for a field that the user left open', { agreed: { from: undefined } }, []],
    ['has another value for a field that the user did not leave open', { done: { from: 4 } }, ['from']],
    ['lacks a field that only the user may leave open', { done: { from: undefined } }, ['from']],
  ])('returns every field that differs when the call %s', (_what, { agreed, done }, names) => {
    const compared = { agreed: { ...gift, ...agreed }, done: { ...gift, ...done } };

    expect(detailsDefects({ ...compared, rules: [rule] })).toEqual(names);
  });
});
