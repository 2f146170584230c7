import { describe, expect, test } from '@jest/globals';
import { byNeed, stateOf, type FloorState, type Spot } from './floor.ts';

type Facts = Parameters<typeof stateOf>[0];
const seated = { status: 'seated', seating: 88 } as const;
const free = { status: 'free', seating: null } as const;
const orderOf = (...statuses: string[]) =>
  ({ items: statuses.map((status) => ({ status })) }) as Facts['orders'][number];
const facts = (differs: Partial<Facts>): Facts => ({
  table: seated,
  calls: [],
  orders: [],
  openCount: 0,
  leftCount: 0,
  total: '0.00',
  isKnown: true,
  ...differs,
});
const cooking = { orders: [orderOf('preparing')], openCount: 1, total: '62.00' };

describe('the state of a table', () => {
  test.each<[FloorState, Partial<Facts>]>([
    ['free', { table: free }],
    ['ordering', {}],
    ['cooking', cooking],
    ['ready', { ...cooking, orders: [orderOf('preparing', 'ready')] }],
    ['served', { orders: [orderOf('delivered')], total: '62.00' }],
    ['paid', { orders: [orderOf('delivered')] }],
    ['wants', { ...cooking, calls: [{}] as never }],
    ['to_clean', { table: { status: 'to_clean', seating: null } }],
    ['cooking', { table: free, leftCount: 1 }],
    ['unknown', { isKnown: false, total: null }],
    ['ready', { ...cooking, orders: [orderOf('ready')], isKnown: false, total: null }],
  ])('is %s for %j', (state, differs) => {
    expect(stateOf(facts(differs))).toBe(state);
  });
});

test('tables sorted by need have the longest call first and the free tables last', () => {
  const spot = (table: string, state: FloorState, sinceMs: number) =>
    ({ table: { table }, state, sinceMs }) as unknown as Spot;
  const spots = [
    spot('1', 'free', Infinity),
    spot('10', 'free', Infinity),
    spot('2', 'free', Infinity),
    spot('3', 'wants', 20),
    spot('4', 'wants', 10),
    spot('5', 'ready', 5),
  ];
  expect(spots.sort(byNeed).map(({ table }) => table.table)).toEqual(['4', '3', '5', '1', '2', '10']);
});
