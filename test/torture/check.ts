import type { Called } from '@comanda/testing/call';
import { openFeedClient, type FeedClient } from '@comanda/testing/feed-client';
import { until } from '@comanda/testing/until';
import type { Actors, Observed } from './clients.ts';

type Checked = { actors: Actors; observed: Observed; notifierUrl: string; firstCursor: string };

/** What clients observed and is not true, from the outside; empty if every promise was kept. */
export async function checkPromises({ actors, observed, notifierUrl, firstCursor }: Checked): Promise<string[]> {
  const replay = openFeedClient(notifierUrl, { token: actors.managerToken, after: firstCursor, retryRefused: true });
  try {
    await replay.untilStatus('live', 60_000);
    const onFeed = (): Set<number> => new Set(createdOrders(replay));
    await until(() => [...observed.orders.keys()].every((id) => onFeed().has(id)), {
      what: 'every accepted order on the replayed feed',
      timeoutMs: 30_000,
    }).catch(() => {}); // the check below says which are missing
    return [
      ...observed.broken,
      ...checkFeed(replay, observed),
      ...(await checkOrders(actors, observed)),
      ...(await checkPortions(actors, observed)),
      ...(await checkMoney(actors, observed)),
    ];
  } finally {
    replay.close();
  }
}

/** The orders of all `order.created`. The feed may bring one event twice; two events of one order are a broken promise. */
const createdOrders = ({ events }: FeedClient): number[] =>
  [...new Map(events.filter(({ type }) => type === 'order.created').map((event) => [event.id, event])).values()].map(
    ({ subject }) => Number(subject),
  );

/** Every 201 is on the replayed feed, once; the versions of each order rise as they first appear. */
function checkFeed(replay: FeedClient, observed: Observed): string[] {
  if (replay.notices.some(({ status }) => status === 'gap'))
    return ['the feed could not be replayed from its beginning'];
  const created = createdOrders(replay);
  const times = new Map<number, number>();
  for (const id of created) times.set(id, (times.get(id) ?? 0) + 1);
  const missing = [...observed.orders.keys()].filter((id) => !times.has(id));
  const twice = [...times].filter(([, count]) => count > 1).map(([id]) => id);
  const newest = new Map<string, number>();
  const backwards: string[] = [];
  const seen = new Set<string>();
  for (const { id, type, subject, data } of replay.events) {
    if (!type.startsWith('order.') || seen.has(id)) continue;
    seen.add(id);
    const { version } = data['order'] as { version: number };
    if (version < (newest.get(subject) ?? 0)) backwards.push(subject);
    newest.set(subject, version);
  }
  return [
    ...(missing.length > 0
      ? [`${missing.length} accepted orders are not on the feed: ${missing.slice(0, 10).join()}`]
      : []),
    ...(twice.length > 0 ? [`orders are on the feed twice: ${twice.slice(0, 10).join()}`] : []),
    ...(backwards.length > 0 ? [`the versions of these orders fell: ${backwards.slice(0, 10).join()}`] : []),
  ];
}

const get = async (call: () => Promise<Called>): Promise<Called> =>
  until(
    async () =>
      call().then(
        (answer) => (answer.status >= 500 ? null : answer),
        () => null,
      ),
    {
      what: 'an answer',
      timeoutMs: 20_000,
    },
  );

/** No 201 and no 200 was rolled back. */
async function checkOrders({ manager }: Actors, { orders }: Observed): Promise<string[]> {
  const wrong: string[] = [];
  for (const [id, { version, status, isUnknown }] of orders) {
    const { status: code, body } = await get(() => manager('GET', `/orders/${id}`));
    if (code !== 200) wrong.push(`order ${id} was accepted and is ${code}`);
    else if (body.version < version) wrong.push(`order ${id} was at version ${version} and is at ${body.version}`);
    else if (!isUnknown && body.status !== status) wrong.push(`order ${id} was ${status} and is ${body.status}`);
  }
  return wrong;
}

async function checkPortions(
  { manager, limitedId, limitedPortions }: Actors,
  { portions }: Observed,
): Promise<string[]> {
  const { body } = await get(() => manager('GET', `/menu/${limitedId}`));
  const taken = limitedPortions - body.portions_left;
  const expected = portions.ordered - portions.givenBack;
  return Math.abs(taken - expected) <= portions.unknown
    ? []
    : [`${taken} portions are taken, and clients observed ${expected} (${portions.unknown} unknown)`];
}

async function checkMoney({ customers, manager }: Actors, { transfers }: Observed): Promise<string[]> {
  const wrong: string[] = [];
  let sum = 0;
  for (const { account } of customers) {
    const { body } = await get(() => manager('GET', `/accounts/${account}`));
    sum += Math.round(Number(body.balance) * 100);
  }
  if (sum !== customers.length * 100_000) wrong.push(`all balances add up to ${sum} minor units`);
  for (const [id, { from, to }] of transfers) {
    const { status, body } = await get(() => manager('GET', `/accounts/internal-transfers/${id}`));
    if (status !== 200 || body.from_account_id !== from || body.to_account_id !== to)
      wrong.push(`transfer ${id} was posted and is ${status}`);
  }
  return wrong;
}
