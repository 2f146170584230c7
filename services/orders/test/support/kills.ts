import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import mongoose from 'mongoose';
import type { CloudEvent } from '@comanda/contracts/events';
import { testSecrets } from '@comanda/testing/test-secrets';
import { stackSettings } from '@comanda/local-stack/stack-settings';
import { caller, type Call, type Called } from '@comanda/testing/call';
import type { IsolatedServers } from '@comanda/testing/isolated-servers';
import { startServiceProcess, internalErrors, type ServiceProcess } from '@comanda/testing/service-process';
import { startTestIssuer } from '@comanda/testing/test-issuer';
import { until } from '@comanda/testing/until';
import { recordEvents } from '@comanda/testing/recorded-events';

export type KillReport = {
  kills: number;
  placed: number;
  /** Orders that were stored although their caller got no answer. */
  unanswered: number;
  moved: number;
  events: number;
  /** Empty when every promise was kept. */
  broken: string[];
};
type Options = { servers: IsolatedServers; kills: number; clients?: number };
type Acknowledged = { key: string; id: number };

const statuses = ['received', 'preparing', 'ready', 'delivered', 'cancelled'] as const;
const random = <T>(list: readonly T[]): T => list[randomInt(list.length)] as T;

/**
 * Two instances get a SIGKILL at random moments while clients place and move orders without pause. Then everything that
 * was answered is checked against what is stored and published.
 */
export async function runKills({ servers, kills, clients = 8 }: Options): Promise<KillReport> {
  const issuer = await startTestIssuer();
  const events = await recordEvents(servers.rabbitmqUrl);
  const client = await new mongoose.mongo.MongoClient(servers.mongodbUri).connect();
  const stack = stackSettings({ urls: { 'auth-stepup': issuer.url }, servers, secrets: testSecrets() });
  const env = { ...stack.orders, LOG_LEVEL: 'error' };
  const instances = await Promise.all([startServiceProcess('orders', env), startServiceProcess('orders', env)]);
  try {
    await Promise.all(instances.map((instance) => instance.ready()));
    const token = issuer.token({ sub: 1, role: 'manager', lifetimeS: 36_000 });
    const calls = instances.map(({ url }) => caller(url, { token }));
    const stock = [null, 1_000_000, 40];
    const dishes = await Promise.all(stock.map((portions) => addDish(calls[0] as Call, portions)));
    const work = startWork({ calls, dishes, clients });
    for (let kill = 1; kill <= kills; kill++) await killOne(instances[kill % 2] as ServiceProcess);
    const { acknowledged, versions } = await work.stop();
    const database = client.db(stack.orders['MONGODB_DATABASE']);
    await outboxesEmpty(database);
    const orders = await database.collection('pedidos').find().toArray();
    // The broker has confirmed them all; here they may come later. What still lacks after the wait is reported below.
    const allCame = (): boolean => checkEvents(orders, events.all).length === 0;
    await until(allCame, { what: 'an event of each version' }).catch(() => undefined);
    const menu = await database.collection('itensMenu').find().toArray();
    const broken = [
      ...checkOrders(orders, acknowledged),
      ...checkVersions(orders, versions),
      ...checkEvents(orders, events.all),
      ...checkPortions({ orders, menu, dishes, stock }),
      ...internalErrors(instances),
      ...events.conflictingIds.map((id) => `two different events have the id ${id}`),
    ];
    const unanswered = orders.length - acknowledged.length;
    return { kills, placed: orders.length, unanswered, moved: versions.length, events: events.all.length, broken };
  } finally {
    await Promise.all(instances.map((instance) => instance.end('SIGTERM')));
    await client.close();
    await events.close();
    await issuer.close();
  }
}

async function addDish(call: Call, portions: number | null): Promise<number> {
  const body = { name: `Dish with ${portions}`, price: '10.00', portions_left: portions };
  return (await call('POST', '/menu', { body })).body.id;
}

async function killOne(instance: ServiceProcess): Promise<void> {
  await sleep(randomInt(50, 500));
  await instance.end('SIGKILL');
  await instance.start();
  await instance.ready();
}

type Work = { calls: readonly Call[]; dishes: readonly number[]; clients: number };

function startWork({ calls, dishes, clients }: Work) {
  const acknowledged: Acknowledged[] = [];
  const versions: { id: number; version: number }[] = [];
  let stopped = false;
  const call = (): Call => random(calls);

  async function place(): Promise<void> {
    const key = randomUUID();
    const items = Array.from({ length: randomInt(1, 4) }, () => ({
      item_id: random(dishes),
      quantity: randomInt(1, 3),
    }));
    for (;;) {
      const answer = await tryTo(call()('POST', '/orders', { body: { items }, headers: { 'idempotency-key': key } }));
      if (answer?.status === 201) return void acknowledged.push({ key, id: answer.body.id });
      if (answer?.status === 409) return;
      await sleep(10);
    }
  }
  async function move(): Promise<void> {
    const { id } = random(acknowledged.slice(-50));
    const answer = await tryTo(call()('PUT', `/orders/${id}`, { body: { status: random(statuses) } }));
    if (answer?.status === 200) versions.push({ id, version: answer.body.version });
  }
  async function runClient(): Promise<void> {
    while (!stopped) {
      await (acknowledged.length === 0 || randomInt(3) === 0 ? place() : move());
    }
  }
  const working = Promise.all(Array.from({ length: clients }, runClient));
  return {
    stop: async () => {
      stopped = true;
      await working;
      return { acknowledged, versions };
    },
  };
}

/** Null if the instance was killed during the call, or answered 5xx. */
async function tryTo(call: Promise<Called>): Promise<Called | null> {
  try {
    const answer = await call;
    return answer.status >= 500 ? null : answer;
  } catch (error) {
    if ((error as Error).name === 'TypeError') return null; // fetch: the connection broke
    throw error;
  }
}

const outboxesEmpty = (database: mongoose.mongo.Db) =>
  until(
    async () => {
      const waiting = ['pedidos', 'itensMenu'].map((name) =>
        database.collection(name).countDocuments({ 'outbox.0': { $exists: true } }),
      );
      return (await Promise.all(waiting)).every((count) => count === 0);
    },
    { timeoutMs: 30_000, what: 'the outboxes to be empty' },
  );

type Stored = mongoose.mongo.Document;

function checkOrders(orders: readonly Stored[], acknowledged: readonly Acknowledged[]): string[] {
  const byKey = new Map(orders.map((order) => [order['idempotency_key'], order['pedidoID']]));
  const items = orders.flatMap(({ itens }) => itens.map(({ itemPedidoID }: Stored) => itemPedidoID));
  const ids = new Set(orders.map(({ pedidoID }) => pedidoID));
  return [
    ...acknowledged
      .filter(({ key, id }) => byKey.get(`1/${key}`) !== id)
      .map(({ key, id }) => `order ${id} was answered for ${key}, ${byKey.get(`1/${key}`)} is stored`),
    ...(byKey.size === orders.length ? [] : ['one key has two orders']),
    ...(new Set(items).size === items.length ? [] : ['an item id was given twice']),
    ...(Math.max(...ids) === orders.length ? [] : [`${orders.length} orders, but ids up to ${Math.max(...ids)}`]),
    ...(new Set(orders.map(({ ticket }) => ticket)).size === orders.length ? [] : ['a ticket was given twice']),
  ];
}

function checkVersions(orders: readonly Stored[], versions: readonly { id: number; version: number }[]): string[] {
  const histories = new Map(
    orders.map(({ pedidoID, history }) => [pedidoID, new Set(history.map(({ version }: Stored) => version))]),
  );
  return versions
    .filter(({ id, version }) => !histories.get(id)?.has(version))
    .map(({ id, version }) => `version ${version} of order ${id} was answered and is not stored`);
}

function checkEvents(orders: readonly Stored[], events: readonly CloudEvent[]): string[] {
  const seen = new Map<number, number[]>();
  for (const { type, data } of events) {
    if (!type.startsWith('order.')) continue;
    const { id, version } = (data as { order: { id: number; version: number } }).order;
    seen.set(id, [...(seen.get(id) ?? []), version]);
  }
  return orders.flatMap(({ pedidoID, version }) => {
    const versions = seen.get(pedidoID) ?? [];
    const missing = Array.from({ length: version }, (_, index) => index + 1).filter((each) => !versions.includes(each));
    const sorted = versions.every((each, index) => index === 0 || (versions[index - 1] ?? 0) <= each);
    return [
      ...missing.map((each) => `version ${each} of order ${pedidoID} has no event`),
      ...(sorted ? [] : [`the events of order ${pedidoID} came in the order ${versions.join(', ')}`]),
    ];
  });
}

type Portions = {
  orders: readonly Stored[];
  menu: readonly Stored[];
  dishes: readonly number[];
  stock: readonly (number | null)[];
};

function checkPortions({ orders, menu, dishes, stock }: Portions): string[] {
  const items = orders.flatMap(({ itens }) => itens as Stored[]);
  return dishes.flatMap((dish, index) => {
    const first = stock[index] ?? null;
    if (first === null) return [];
    const left = menu.find(({ itemID }) => itemID === dish)?.['portions_left'];
    const held = items
      .filter(({ itemID, holds_portions: holds }) => itemID === dish && holds)
      .reduce((sum, { quantidade }) => sum + quantidade, 0);
    return left + held === first && left >= 0 ? [] : [`of ${first} portions ${held} are held and ${left} left`];
  });
}
