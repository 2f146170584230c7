import { describe, expect, test } from '@jest/globals';
import { judgeEvents } from './judge-events.ts';
import { judgeMoney, type AccountInTheEnd } from './judge-money.ts';
import { judgeScreens, type Received, type ScreenRecord, type StreamEvent } from './judge-screens.ts';
import { judgeTimes } from './judge-times.ts';
import { nothingObserved, type Observed } from './observed.ts';

const staff = ['everyone', 'user:1', 'staff'];
const customer = ['everyone', 'user:5'];
const cursorOf = ({ offset, id }: StreamEvent) => ({ offset, id });
const event = (offset: number, type: string, about: Partial<StreamEvent>): StreamEvent => ({
  offset,
  id: `e${offset}`,
  type,
  subject: '',
  rooms: [],
  data: {},
  ...about,
});
const ofOrder = (offset: number, type: string, [id, version]: [id: number, version: number]): StreamEvent =>
  event(offset, type, {
    subject: String(id),
    rooms: ['staff', 'user:5'],
    data: { order: { id, version, ticket: id, items: [{ id: 10 * id }] } },
  });
const posted = (offset: number, id: number, [from, to]: [from: number, to: number]): StreamEvent => {
  const transfer = { id, kind: 'internal_transfer', from_account_id: from, to_account_id: to, amount: '1.25' };
  return event(offset, 'transfer.posted', { subject: String(id), rooms: ['user:5', 'user:6'], data: { transfer } });
};

/** Creates a run without broken promises, with two orders (one of them moved to `preparing`), two transfers and four screens. */
function truth() {
  const stream = [
    event(0, 'heartbeat', {}),
    ofOrder(1, 'order.created', [1, 1]),
    ofOrder(2, 'order.created', [2, 1]),
    ofOrder(3, 'order.status_changed', [1, 2]),
    posted(4, 31, [21, 22]),
    event(5, 'heartbeat', {}),
    posted(6, 32, [21, 22]),
  ];
  const observed: Observed = nothingObserved();
  observed.orders.set(1, { versions: [1, 2], status: 'preparing', isUnknown: false });
  observed.orders.set(2, { versions: [1], status: 'received', isUnknown: false });
  for (const id of [31, 32]) observed.transfers.set(id, { from: 21, to: 22, minor: 125 });
  const accounts: AccountInTheEnd[] = [
    { id: 21, startMinor: 10_000, balanceMinor: 9_750, entries: entries(-125) },
    { id: 22, startMinor: 10_000, balanceMinor: 10_250, entries: entries(125) },
  ];
  return { stream, observed, accounts, screens: [...screensOf(stream, staff), ...screensOf(stream, customer)] };
}
const entries = (minor: number) => [31, 32].map((transferId) => ({ transferId, minor }));
type Run = ReturnType<typeof truth>;

/** Creates two screens for these rooms. One was connected from the beginning, the other connected later. */
function screensOf(stream: readonly StreamEvent[], rooms: readonly string[]): ScreenRecord[] {
  const heard = stream.filter((each) => each.rooms.some((room) => rooms.includes(room)));
  return [0, 1].map((from) => ({
    name: `${rooms[1]} ${from + 1}`,
    rooms,
    received: [
      { kind: 'notice', offset: stream[from]?.offset ?? 0, id: stream[from]?.id ?? '' },
      ...heard.filter(({ offset }) => offset > from).map((each): Received => ({ kind: 'event', ...cursorOf(each) })),
      { kind: 'notice', offset: 6, id: 'e6' },
    ],
  }));
}

const judge = ({ stream, observed, accounts, screens }: Run): string[] => [
  ...judgeEvents(stream, observed),
  ...judgeScreens(screens, stream),
  ...judgeMoney(accounts, observed),
];
/** Changes the messages that the first staff screen has received. */
const withScreen = (run: Run, change: (received: readonly Received[]) => Received[]): Run => ({
  ...run,
  screens: run.screens.map((each, index) => (index === 0 ? { ...each, received: change(each.received) } : each)),
});
/** Changes the stream, and gives all screens the events from the changed stream. */
function withStream(run: Run, change: (stream: readonly StreamEvent[]) => StreamEvent[]): Run {
  const stream = change(run.stream);
  return { ...run, stream, screens: [...screensOf(stream, staff), ...screensOf(stream, customer)] };
}
const withAccount = (run: Run, change: Partial<AccountInTheEnd>): Run => ({
  ...run,
  accounts: run.accounts.map((each, index) => (index === 1 ? { ...each, ...change } : each)),
});

test('nothing is reported if every promise is kept', () => {
  expect(judge(truth())).toEqual([]);
});

describe('the verdict on a run', () => {
  test.each<[what: string, mutate: (run: Run) => Run, sentences: RegExp[]]>([
    [
      'an outbox drops the event for a change',
      (run) => withStream(run, (stream) => stream.filter(({ offset }) => offset !== 3)),
      [/^answered changes of orders have no event \(1\): 1 version 2$/],
    ],
    [
      'an outbox drops the event for an accepted order',
      (run) => withStream(run, (stream) => stream.filter(({ offset }) => offset !== 2)),
      [/^accepted orders are not on the feed \(1\): 2$/, /have no event \(1\): 2 version 1$/],
    ],
    [
      'an order is published again with another id',
      (run) => withStream(run, (stream) => [...stream, ofOrder(7, 'order.created', [2, 1])]),
      [/^orders are on the feed twice \(1\): 2$/],
    ],
    [
      'a retried call creates a second order',
      (run) => withStream(run, (stream) => [...stream, ofOrder(7, 'order.created', [3, 1])]),
      [/^orders were created that no call was told of \(1\): 3$/],
    ],
    [
      'an order has the number of another order, or a number is left out',
      (run) =>
        withStream(run, (stream) =>
          stream.map((each) => (each.offset === 2 ? ofOrder(2, 'order.created', [3, 1]) : each)),
        ),
      [
        /^accepted orders are not on the feed \(1\): 2$/,
        /^orders were created that no call was told of \(1\): 3$/,
        /have no event \(1\): 2 version 1$/,
        /^a number is missing before these orders \(1\): 3$/,
        /^the tickets of these orders do not follow the ones before \(1\): 3$/,
      ],
    ],
    [
      "an order's version has no event",
      (run) => withStream(run, (stream) => [...stream, ofOrder(7, 'order.seen', [1, 4])]),
      [/^these versions of orders have no event \(1\): 1 version 3$/],
    ],
    [
      'an older version comes after a newer one',
      (run) => withStream(run, (stream) => [...stream, ofOrder(7, 'order.seen', [1, 1])]),
      [/^the versions of these orders fell \(1\): 1$/],
    ],
    [
      'the event for a transfer is dropped',
      (run) => withStream(run, (stream) => stream.filter(({ offset }) => offset !== 4)),
      [/^posted transfers are not on the feed \(1\): 31$/],
    ],
    [
      'a retried call creates a second transfer',
      (run) => withStream(run, (stream) => [...stream, posted(7, 33, [21, 22])]),
      [/^transfers were posted that no call was told of \(1\): 33$/],
    ],
    [
      "a transfer's event names the wrong account",
      (run) => withStream(run, (stream) => stream.map((each) => (each.offset === 4 ? posted(4, 31, [22, 21]) : each))),
      [/^events of transfers say something else \(1\): 31$/],
    ],
    [
      'a live event is dropped on one screen',
      (run) => withScreen(run, (received) => received.filter(({ offset }) => offset !== 2)),
      [/^user:1 1 missed the order\.created of 2 at 2$/],
    ],
    [
      'a screen never receives an event, and no notice reports it',
      (run) => withScreen(run, (received) => received.slice(0, 1)),
      [/^user:1 1 lacks 3 events, the first is order\.created of 1$/],
    ],
    [
      'a cursor is ahead of the events sent',
      (run) => withScreen(run, ([first, ...rest]) => [...(first ? [first] : []), rest.at(-1) ?? rest[0]!, ...rest]),
      [/^user:1 1 got a cursor at 6 before the order\.created at 1 came$/],
    ],
    [
      'an event is received twice',
      (run) => withScreen(run, (received) => received.flatMap((each) => (each.offset === 2 ? [each, each] : [each]))),
      [/^user:1 1 got event e2 at 2 twice, out of order, or without a right to hear it$/],
    ],
    [
      "a screen receives an event about another user's payment",
      (run) => withScreen(run, (received) => [...received.slice(0, -1), { kind: 'event', offset: 4, id: 'e4' }]),
      [/^user:1 1 got event e4 at 4, which it may not hear, or twice$/],
    ],
    [
      'a transfer moves twice its amount on one balance',
      (run) => withAccount(run, { balanceMinor: 10_500 }),
      [/^all accounts had 200\.00 and have 202\.50$/, /^account 22 has 105\.00, and by its transfers 102\.50$/],
    ],
    [
      'an entry has a different amount',
      (run) => withAccount(run, { entries: [...entries(125).slice(1), { transferId: 31, minor: 250 }] }),
      [/^account 22 has no entry, two or another for transfers 31$/],
    ],
    [
      'money arrives that no user sent',
      (run) => withAccount(run, { entries: [...entries(125), { transferId: 40, minor: 1 }] }),
      [/^account 22 has entries that no call was told of: 40$/],
    ],
  ])('has one sentence for each broken promise if %s', (_what, mutate, sentences) => {
    expect(judge(mutate(truth()))).toEqual(sentences.map((sentence) => expect.stringMatching(sentence)));
  });

  test('reports a transfer that moves twice its amount on both balances, for both accounts', () => {
    const run = truth();
    const accounts = run.accounts.map((each) => ({
      ...each,
      balanceMinor: each.startMinor + 2 * (each.balanceMinor - each.startMinor),
    }));
    expect(judge({ ...run, accounts })).toEqual([
      'account 21 has 95.00, and by its transfers 97.50',
      'account 22 has 105.00, and by its transfers 102.50',
    ]);
  });

  test('accepts an event that is published again with the same id', () => {
    const run = withStream(truth(), (stream) => [...stream, { ...ofOrder(7, 'order.created', [1, 1]), id: 'e1' }]);
    expect(judge(run)).toEqual([]);
  });

  test("doesn't report events as missing if a gap was announced", () => {
    const reported = withScreen(truth(), ([first]) => [
      ...(first ? [first] : []),
      { kind: 'gap', offset: 6, id: 'e6' },
    ]);
    expect(judge(reported)).toEqual([]);
  });

  test('accepts the possible effects of a call with an unknown outcome', () => {
    const run = withStream(truth(), (stream) => [
      ...stream,
      ofOrder(7, 'order.created', [3, 1]),
      posted(8, 33, [21, 22]),
    ]);
    Object.assign(run.observed, { unknownOrders: 1, unknownTransfers: 1 });
    expect(judge(run)).toEqual([]);
  });

  test('reports late responses and late events', () => {
    const observed = nothingObserved();
    expect(judgeTimes(observed, 12_000)).toEqual([]);
    observed.lateRefusals.set('POST /orders, MongoDB primary killed', 2_300);
    observed.lateResponses.set('PUT /orders, no fault', 15_500);
    expect(judgeTimes(observed, 12_600)).toEqual([
      'refusals took longer than 2 s: POST /orders, MongoDB primary killed (2.3 s)',
      'answers came after a client has given up: PUT /orders, no fault (15.5 s)',
      'a screen said that it was live, and heard of an order 13 s after its 201',
    ]);
  });
});
