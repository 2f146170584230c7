import type { CashCount, CashDrawer, Movement } from '@comanda/contracts/cash-drawers';
import type { DayReport, RunningDay } from '@comanda/contracts/day';
import type { Figures, FiguresBefore } from '@comanda/contracts/reports';
import { minutesAgo } from '@comanda/testing/stand/data';

// Days, cash drawers and their counts, as a running restaurant would return them.

const marta = { id: 1, name: 'Marta' };
const wagner = { id: 2, name: 'Wagner' };
const ana = { id: 3, name: 'Ana' };

export const newDrawer = (name: string, differs: Partial<CashDrawer> = {}): CashDrawer => ({
  name,
  label: name,
  status: 'active',
  counted_at: null,
  moved: false,
  ...differs,
});
/** Creates Marta's count of the main cash drawer, in which 2.00 are missing. */
export const newCount = (differs: Partial<CashCount> = {}): CashCount => ({
  id: 5020,
  day: 214,
  cash_drawer: 'main',
  at: minutesAgo(1),
  by: marta,
  expected: '862.00',
  counted: '860.00',
  difference: '-2.00',
  left: '860.00',
  to: null,
  ...differs,
});
export const newMovement = (differs: Partial<Movement> = {}): Movement => ({
  id: 5013,
  day: 214,
  at: minutesAgo(40),
  kind: 'pay_out',
  method: 'cash',
  confirmed_by: null,
  cash_drawer: 'main',
  amount: '-80.00',
  tip: '0.00',
  bill_id: null,
  payment_id: null,
  by: marta,
  reason: 'Gelo',
  other: null,
  reverses: null,
  ...differs,
});

/** Creates a day on which the main cash drawer isn't counted yet, with two open bills. */
export const newDay = (differs: Partial<RunningDay> = {}): RunningDay => ({
  number: 214,
  business_date: '2026-11-20',
  opened_at: minutesAgo(300),
  overdue: false,
  previous_hash: 'b'.repeat(64),
  open_bills: [
    { id: 312, table: '12', created_at: minutesAgo(130), remaining: '212.00' },
    { id: 313, table: null, created_at: minutesAgo(12), remaining: '0.00' },
  ],
  open_bill_count: 2,
  cash_drawers: [{ name: 'main', moved: true }],
  ...differs,
});

const hour = (each: number, amount: string) => ({ hour: each, orders: 12, items: 31, amount });
const before: FiguresBefore = {
  bills: { closed: 88, open: 1, remaining: '52.08' },
  guests: 170,
  late: { items: 5, of: 110 },
  hours: [
    hour(18, '610.00'),
    hour(19, '1980.00'),
    hour(20, '2410.50'),
    hour(21, '2150.00'),
    hour(22, '980.00'),
    hour(23, '210.00'),
  ],
  dishes: [],
  stations: [],
  payments: [],
  tips: [],
  waiters: [],
  exceptions: [],
};
const dishes = [
  'Feijoada completa',
  'Moqueca de peixe',
  'Caipirinha',
  'Pudim de leite',
  'Bife à parmegiana',
  'Risoto de cogumelos',
  'Água com gás',
  'Pão de queijo',
  'Cerveja artesanal',
  'Salada da casa',
];

/** Creates the figures of a busy evening, of which no cash is counted yet. */
export const newFigures = (differs: Partial<Figures> = {}): Figures => ({
  bills: { closed: 41, open: 2, remaining: '212.00' },
  guests: 96,
  late: { items: 7, of: 88 },
  hours: [hour(18, '740.00'), hour(19, '2120.00'), hour(20, '2871.00'), hour(21, '1242.00')],
  dishes: dishes.map((name, index) => ({
    item_id: index + 1,
    name,
    quantity: 41 - 4 * index,
    amount: `${1_332 - 97 * index}.50`,
  })),
  stations: [
    { station: 'kitchen', items: 80, median_seconds: 610, p90_seconds: 1_290 },
    { station: 'bar', items: 61, median_seconds: 130, p90_seconds: 300 },
  ],
  payments: [
    { method: 'card', confirmed_by: null, count: 24, amount: '3120.40', tips: '48.00' },
    { method: 'pix', confirmed_by: 'bank', count: 14, amount: '1450.00', tips: '12.00' },
    { method: 'account', confirmed_by: null, count: 2, amount: '181.00', tips: '0.00' },
  ],
  tips: [],
  waiters: [
    { by: wagner, method: 'card', confirmed_by: null, count: 14, amount: '1900.00', tips: '30.00', refunds: '0.00' },
    { by: ana, method: 'card', confirmed_by: null, count: 10, amount: '1220.40', tips: '18.00', refunds: '0.00' },
    { by: null, method: 'pix', confirmed_by: 'bank', count: 14, amount: '1450.00', tips: '12.00', refunds: '0.00' },
    { by: wagner, method: null, confirmed_by: null, count: 20, amount: '610.00', tips: '0.00', refunds: '0.00' },
  ],
  exceptions: [
    { kind: 'discount', by: marta, count: 3, amount: '64.00' },
    { kind: 'item_cancelled', by: wagner, count: 2, amount: '58.00' },
    { kind: 'service_charge_declined', by: null, count: 1, amount: '17.20' },
    { kind: 'remade', by: wagner, count: 1, amount: '32.50' },
  ],
  before,
  ...differs,
});

/** Creates the report of day 214, with one bill carried over. */
export const newReport = (differs: Partial<DayReport> = {}): DayReport => ({
  number: 214,
  business_date: '2026-11-20',
  opened_at: '2026-11-20T03:41:00.000Z',
  closed_at: '2026-11-21T02:41:00.000Z',
  closed_by: marta,
  note: null,
  bills: { count: 93, first_number: 8122, last_number: 8214 },
  sales: {
    items_total: '9000.00',
    discount_total: '100.00',
    service_charge: '890.00',
    rounding: '0.01',
    total: '9790.01',
  },
  payments: [
    { method: 'cash', confirmed_by: null, count: 61, amount: '6742.09', tips: '0.00' },
    { method: 'pix', confirmed_by: 'bank', count: 31, amount: '3100.00', tips: '12.00' },
  ],
  refunds: [],
  refunded_after_closing: '0.00',
  unsettled: { before: '0.00', after: '52.08' },
  cash_drawers: [
    {
      name: 'main',
      opening: '200.00',
      sums: { payment: '6742.09', pay_out: '-80.00', difference: '-2.00', drop: '-6660.09' },
      left: '200.00',
      counts: [
        newCount({ id: 5020, expected: '6862.09', counted: '6860.09', left: '6860.09' }),
        newCount({ id: 5022, expected: '6860.09', counted: '6860.09', difference: '0.00', left: '200.00' }),
      ],
    },
  ],
  exceptions: [
    { kind: 'discount', count: 3, amount: '100.00' },
    { kind: 'item_cancelled', count: 2, amount: '64.00' },
  ],
  carried_over: { count: 1, bills: [312] },
  entries_hash: 'e'.repeat(64),
  consent: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
  previous_hash: 'b'.repeat(64),
  hash: 'c0ffee'.repeat(10) + 'abcd',
  ...differs,
});
