import { expect, test } from '@jest/globals';
import type { RoamingClient } from './support/torture-clients.ts';
import { judgeClient } from './support/torture-verdict.ts';

const ringEvents = 1000;
const gap = { kind: 'gap', offset: 795, id: 'a' } as const;
const notice = { kind: 'notice', offset: 795, id: 'a' } as const;
const judge = (received: RoamingClient['received']): string[] => {
  const claims = { sub: 2003, role: 'customer', table: '12', seating: 88 } as const;
  return judgeClient({ claims, received, start: () => 795 }, [], ringEvents);
};

test('the verdict accepts a gap as the first notice for a client without a cursor', () => {
  expect(judge([gap, notice])).toEqual([]);
});

test('the verdict reports a gap as a fault if the replay buffer has the missed events', () => {
  expect(judge([notice, gap])).toEqual(['customer 2003 at 88 got a gap from 795 to 795, after 1 events and notices']);
});
