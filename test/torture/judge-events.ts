import type { Observed } from './observed.ts';
import type { StreamEvent } from './judge-screens.ts';

type OrderInEvent = { id: number; version: number; ticket: number; items: readonly { id: number }[] };
const some = (list: readonly unknown[]): string => list.slice(0, 10).join(', ');
const sentence = (list: readonly unknown[], what: string): string[] =>
  list.length > 0 ? [`${what} (${list.length}): ${some(list)}`] : [];

/**
 * Checks that every successful write has its event in the stream. Each order that a client got a 201 for has one `order.created`,
 * each version in a 200 has an event, and each transfer has one `transfer.posted` with its amount. There are no orders or
 * transfers that no client knows about. An order's versions appear in ascending order without gaps, and so do the numbers of
 * orders and tickets. Returns a sentence for each violation.
 */
export function judgeEvents(stream: readonly StreamEvent[], observed: Observed): string[] {
  const events = firstOf(stream);
  const ofOrders = events.filter(({ type }) => type.startsWith('order.'));
  const created = ofOrders.filter(({ type }) => type === 'order.created').map(({ subject }) => Number(subject));
  const times = Map.groupBy(created, (id) => id);
  const accepted = [...observed.orders.keys()];
  const versions = new Set(ofOrders.map((event) => `${event.subject} version ${versionOf(event)}`));
  const reported = [...observed.orders].flatMap(([id, order]) =>
    order.versions.map((version) => `${id} version ${version}`),
  );
  return [
    ...sentence(
      accepted.filter((id) => !times.has(id)),
      'accepted orders are not on the feed',
    ),
    ...sentence(
      [...times].filter(([, each]) => each.length > 1).map(([id]) => id),
      'orders are on the feed twice',
    ),
    ...(observed.unknownOrders === 0
      ? sentence(
          [...times.keys()].filter((id) => !observed.orders.has(id)),
          'orders were created that no call was told of',
        )
      : []),
    ...sentence(
      reported.filter((version) => !versions.has(version)),
      'answered changes of orders have no event',
    ),
    ...sentence(fallen(ofOrders), 'the versions of these orders fell'),
    ...sentence(skipped(ofOrders), 'these versions of orders have no event'),
    ...judgeNumbers(events.filter(({ type }) => type === 'order.created').map(orderOf)),
    ...judgeTransferEvents(events, observed),
  ];
}

/** Returns each event only at its first position, because an event may be published more than once with the same id. */
function firstOf(stream: readonly StreamEvent[]): StreamEvent[] {
  const seen = new Set<string>();
  return stream.filter(({ id }) => !seen.has(id) && seen.add(id));
}

const orderOf = ({ data }: StreamEvent): OrderInEvent => (data as { order: OrderInEvent }).order;
const versionOf = (event: StreamEvent): number => orderOf(event).version;

/** Returns the versions of each order that are missing below its newest version. */
function skipped(events: readonly StreamEvent[]): string[] {
  const found = Map.groupBy(events, ({ subject }) => subject);
  return [...found].flatMap(([subject, own]) => {
    const versions = new Set(own.map(versionOf));
    const all = Array.from({ length: Math.max(...versions) }, (_, index) => index + 1);
    return all.filter((version) => !versions.has(version)).map((version) => `${subject} version ${version}`);
  });
}

/** Returns sentences about order, item and ticket numbers that were issued twice or skipped. Ticket numbers restart each day. */
function judgeNumbers(created: readonly OrderInEvent[]): string[] {
  const orders = [...new Map(created.map((order) => [order.id, order])).values()].toSorted((a, b) => a.id - b.id);
  const pairs = orders.slice(1).map((order, index) => [orders[index] ?? order, order] as const);
  const items = orders.flatMap((order) => order.items.map(({ id }) => id));
  return [
    ...sentence(
      pairs.filter(([before, { id }]) => id !== before.id + 1).map(([, { id }]) => id),
      'a number is missing before these orders',
    ),
    ...sentence(
      pairs.filter(([before, { ticket }]) => ticket !== before.ticket + 1 && ticket !== 1).map(([, { id }]) => id),
      'the tickets of these orders do not follow the ones before',
    ),
    ...sentence(
      items.filter((id, index) => items.indexOf(id) !== index),
      'these numbers of items were given twice',
    ),
  ];
}

function fallen(events: readonly StreamEvent[]): string[] {
  const newest = new Map<string, number>();
  const found = new Set<string>();
  for (const event of events) {
    const version = versionOf(event);
    if (version < (newest.get(event.subject) ?? 0)) found.add(event.subject);
    newest.set(event.subject, version);
  }
  return [...found];
}

type TransferInEvent = { id: number; kind: string; amount: string; from_account_id: number; to_account_id: number };

function judgeTransferEvents(events: readonly StreamEvent[], { transfers, unknownTransfers }: Observed): string[] {
  const posted = events
    .filter(({ type }) => type === 'transfer.posted')
    .map(({ data }) => (data as { transfer: TransferInEvent }).transfer)
    .filter(({ kind }) => kind === 'internal_transfer');
  const byId = Map.groupBy(posted, ({ id }) => id);
  const isTrue = ([id, { from, to, minor }]: [number, { from: number; to: number; minor: number }]): boolean => {
    const event = byId.get(id)?.[0];
    if (!event) return true;
    return event.from_account_id === from && event.to_account_id === to && toMinor(event.amount) === minor;
  };
  const idOf = ([id]: readonly [number, unknown]): number => id;
  return [
    ...sentence(
      [...transfers.keys()].filter((id) => !byId.has(id)),
      'posted transfers are not on the feed',
    ),
    ...sentence([...byId].filter(([, each]) => each.length > 1).map(idOf), 'transfers are on the feed twice'),
    ...sentence([...transfers].filter((each) => !isTrue(each)).map(idOf), 'events of transfers say something else'),
    ...(unknownTransfers === 0
      ? sentence(
          [...byId.keys()].filter((id) => !transfers.has(id)),
          'transfers were posted that no call was told of',
        )
      : []),
  ];
}

/** Converts an amount such as `12.50` to cents. */
export const toMinor = (amount: string): number => Math.round(Number(amount) * 100);
