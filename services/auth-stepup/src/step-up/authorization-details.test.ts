import { describe, expect, test } from '@jest/globals';
import { matchesDetails } from './authorization-details.ts';

const agreed = { type: 'internal_transfer', to_account_id: 7, amount: '12.50', currency: 'BRL' } as const;
const bound = { ...agreed, from_account_id: 3 };
const deposit = { type: 'account_deposit', account_id: 7, amount: '12.50', currency: 'BRL' };

describe('matchesDetails', () => {
  test.each<{ what: string; agreed: typeof agreed; requested: unknown; is: boolean }>([
    { what: 'the agreed transfer', agreed, requested: [agreed], is: true },
    { what: 'the same amount, written differently', agreed, requested: [{ ...agreed, amount: '12.5' }], is: true },
    { what: 'another amount', agreed, requested: [{ ...agreed, amount: '12.51' }], is: false },
    { what: 'another account', agreed, requested: [{ ...agreed, to_account_id: 8 }], is: false },
    { what: 'another currency', agreed, requested: [{ ...agreed, currency: 'USD' }], is: false },
    { what: 'another type', agreed, requested: [deposit], is: false },
    { what: 'more than agreed', agreed, requested: [agreed, agreed], is: false },
    { what: 'no details', agreed, requested: undefined, is: false },
    { what: 'the agreed source account', agreed: bound, requested: [bound], is: true },
    { what: 'another source account', agreed: bound, requested: [{ ...bound, from_account_id: 4 }], is: false },
    { what: 'no source account, if one was agreed', agreed: bound, requested: [agreed], is: false },
    { what: 'any source account, if none was agreed', agreed, requested: [bound], is: true },
  ])('returns $is for a request with $what', ({ agreed: given, requested, is }) => {
    expect(matchesDetails({ endpointKey: 'internal_transfer.create', agreed: [given], requested })).toBe(is);
  });
});
