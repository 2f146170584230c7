import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { exchange } from '@comanda/shared/messaging/topology';
import { root } from '@comanda/local-stack/root';
import { stackSettings } from '@comanda/local-stack/stack-settings';
import { caller, codeOf, created, type Call } from '@comanda/testing/call';
import { password } from '@comanda/testing/credentials';
import { openFeedClient, type FeedClient } from '@comanda/testing/feed-client';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { startOwnBroker } from '@comanda/testing/own-broker';
import type { OwnServer } from '@comanda/testing/own-server';
import { startServiceHere } from '@comanda/testing/service-here';
import { startServiceProcess } from '@comanda/testing/service-process';
import { startStack, type Stack } from '@comanda/testing/stack';
import {
  choosePin,
  depositKey,
  openAccount,
  registerCustomer,
  stepUp,
  tokenFor,
  withoutLimits,
  wrongPin,
} from '@comanda/testing/step-up-calls';
import { testSecrets } from '@comanda/testing/test-secrets';
import { until } from '@comanda/testing/until';
import { connect } from 'amqplib';
import { MongoClient, type Db } from 'mongodb';
import { hasPromtool } from './monitoring/find-promtool.ts';
import { checkRaised, scrape, scrapeAll, type Scrape } from './monitoring/raised-alerts.ts';
import { createMutatedCopy } from './torture/mutated-copy.ts';

// The tests cause real problems and use the services' real metrics. promtool only simulates the time for which the alert rules
// wait.
let broker: OwnServer;
let stack: Stack;
let mongo: MongoClient;
let ordersDb: Db;
let manager: Call;
let feed: FeedClient;
let dishId: number;
let ordersSettings: Record<string, string>;

beforeAll(async () => {
  const servers = await isolatedServers('alerts');
  broker = await startOwnBroker();
  stack = await startStack({ ...servers, rabbitmqUrl: broker.url }, withoutLimits, ['auth-stepup']);
  ordersSettings = { ...stackSettings({ servers, secrets: testSecrets() }).orders, PORT: '0' };
  mongo = await new MongoClient(servers.mongodbUri).connect();
  ordersDb = mongo.db(`${servers.database}_orders`);
  manager = caller(stack.gatewayUrl, { token: stack.managerToken });
  created(await choosePin(manager));
  dishId = created(await manager('POST', '/menu', { body: { name: 'Moqueca', price: '20.00' } })).id;
  feed = openFeedClient(stack.notifierUrl, { token: stack.managerToken });
  await feed.untilStatus('live');
  await seeOrder(await order()); // The first order makes all counters appear in the metrics.
});
afterAll(async () => {
  feed?.close();
  await stack?.close();
  await mongo?.close();
  await broker?.discard();
});

const now = (): Promise<Scrape> => scrapeAll(stack.services);
const order = async (): Promise<number> =>
  created(await manager('POST', '/orders', { body: { items: [{ item_id: dishId, quantity: 1 }] } })).id;
const untilOnScreen = (id: number, type: string): Promise<unknown> =>
  until(() => feed.events.some((event) => event.type === type && event.subject === String(id)), {
    what: `${type} of order ${id} on the screen`,
  });
async function seeOrder(id: number): Promise<void> {
  await manager('POST', '/orders/seen', { body: { order_ids: [id], device: 'kitchen-1' } });
  await untilOnScreen(id, 'order.seen');
}

const describeWithPromtool = hasPromtool ? describe : describe.skip;
describeWithPromtool('among the alerts', () => {
  test('OrdersUnseen is raised when no screen displays accepted orders', async () => {
    const before = await now();
    await untilOnScreen(await order(), 'order.created');

    expect(await checkRaised(['OrdersUnseen'], [before, await now()])).toBe('');
  });

  test('OrdersSeenLate is raised when screens display orders a minute after they were placed', async () => {
    const before = await now();
    const id = await order();
    await untilOnScreen(id, 'order.created');
    const aMinuteAgo = new Date(Date.now() - 60_000);
    await ordersDb.collection<{ _id: number }>('pedidos').updateOne({ _id: id }, { $set: { dataHora: aMinuteAgo } });
    await seeOrder(id);

    expect(await checkRaised(['OrdersSeenLate'], [before, await now()])).toBe('');
  });

  test('OrdersReachScreensLate is raised when the broker hangs for more than a second', async () => {
    const before = await now();
    broker.kill('SIGSTOP');
    const id = await order();
    const placedAt = Date.now();
    await until(() => Date.now() - placedAt > 1200, { what: 'more than a second' });
    broker.kill('SIGCONT');
    await untilOnScreen(id, 'order.created');

    expect(await checkRaised(['OrdersReachScreensLate'], [before, await now()])).toBe('');
  });

  test('FeedNotLive, DependencyDown and OutboxIsOld are raised when the broker is down', async () => {
    let before = await now();
    const isWhole = async (): Promise<boolean> => {
      before = await now();
      return [...before].every(([name, value]) => !name.startsWith('comanda_dependency_up') || value === '1');
    };
    await until(isWhole, { what: 'every service to be connected to the broker again' });
    broker.kill('SIGKILL');
    await feed.untilStatus('stalled');
    const id = await order();
    const aMinuteAgo = new Date(Date.now() - 60_000);
    const orders = ordersDb.collection<{ _id: number }>('pedidos');
    await orders.updateOne({ _id: id }, { $set: { 'outbox.$[].time': aMinuteAgo } });
    const isOld = async (): Promise<boolean> =>
      [...(await now())].some(([name, value]) => /^comanda_outbox_oldest.*"orders"/.test(name) && Number(value) > 30);
    await until(isOld, { what: 'the age of the outbox' });
    const after = await now();
    broker = await broker.startAgain();
    await feed.untilStatus('live', 60_000);

    expect(await checkRaised(['FeedNotLive', 'DependencyDown', 'OutboxIsOld'], [before, after])).toBe('');
  });

  test('UnreadableEvents is raised when a message that is not an event is published', async () => {
    const before = await now();
    const connection = await connect(broker.url);
    const channel = await connection.createConfirmChannel();
    channel.publish(exchange, 'order.created', Buffer.from('nonsense'), { persistent: true, messageId: 'x' });
    await channel.waitForConfirms();
    await connection.close();
    await untilOnScreen(await order(), 'order.created'); // When this order reaches the screen, the message before it has been read.

    expect(await checkRaised(['UnreadableEvents'], [before, await now()])).toBe('');
  });

  test('ServiceDown, TransfersFail and ServiceFails are raised when auth-stepup hangs', async () => {
    const ana = await registerCustomer(stack, 'Ana');
    created(await choosePin(ana.call));
    const from = await openAccount(ana.call);
    const headers = { 'x-step-up-token': await tokenFor(manager, depositKey) };
    created(await manager('POST', `/accounts/${from}/deposits`, { body: { amount: '100.00' }, headers }));
    const body = { from_account_id: from, to_account_id: await openAccount(manager), amount: '1.00' };
    const pay = (token: string) =>
      ana.call('POST', '/accounts/internal-transfers', { body, headers: { 'x-step-up-token': token } });
    created(await pay(await tokenFor(ana.call)));
    const token = await tokenFor(ana.call);
    // While auth-stepup does not respond, payments fail, because transfers waits for it.
    const failed = (): Promise<Scrape> => pay(token).then(() => scrape(stack.services));
    const before = await now();
    const { pid } = stack.processOf('auth-stepup');
    process.kill(pid(), 'SIGSTOP');
    const meanwhile = [await failed(), await failed(), await failed()];
    process.kill(pid(), 'SIGCONT');

    const alerts = ['ServiceDown', 'TransfersFail', 'ServiceFails'];
    expect(await checkRaised(alerts, [before, ...meanwhile])).toBe('');
  });

  test('PinsBlocked is raised when the PINs of seven customers are blocked', async () => {
    const scrapes = [await now()];
    for (let count = 0; count < 7; count++) {
      const { call } = await registerCustomer(stack, `Ana ${count}`);
      created(await choosePin(call));
      const isBlocked = async (): Promise<boolean> =>
        codeOf(await stepUp(call, wrongPin)) === '429 transaction_password_blocked';
      await until(isBlocked, { what: 'the third wrong PIN' });
      scrapes.push(await now());
    }

    expect(await checkRaised(['PinsBlocked'], scrapes)).toBe('');
  });

  test('SignInsFail is raised when a client tries many passwords', async () => {
    const emails: string[] = [];
    while (emails.length < 16) emails.push((await registerCustomer(stack, `Bia ${emails.length}`)).email);
    const tryAll = () =>
      Promise.all(
        emails.map((email) => stack.call('POST', '/auth/login', { body: { email, password: `${password}?` } })),
      );
    await tryAll(); // The first attempts make the counter appear in the metrics.
    const before = await now();
    for (let round = 0; round < 8; round++) await tryAll();

    expect(await checkRaised(['SignInsFail'], [before, await now()])).toBe('');
  });

  test("NotReady is raised when a new notifier can't reach the broker and auth-stepup", async () => {
    const before = await now();
    const nowhere = '127.0.0.1:9';
    const env = { PORT: '0', RABBITMQ_URL: `amqp://${nowhere}`, JWKS_URL: `http://${nowhere}/keys` };
    const another = await startServiceHere('notifier', { env });
    const after = await scrapeAll({ ...stack.services, another });
    await another.close();

    expect(await checkRaised(['NotReady'], [before, after])).toBe('');
  });

  test('EventLoopBlocked is raised when a service gets less CPU than it needs', async () => {
    const auth = (): Promise<Scrape> => scrape({ 'auth-stepup': stack.services['auth-stepup'] });
    const isBusy = (of: Scrape): boolean =>
      [...of].some(([name, value]) => name.startsWith('nodejs_eventloop_lag_p99') && Number(value) > 0.25);
    const before = await until(async () => [await auth()].find((each) => !isBusy(each)), { what: 'an idle process' });
    const { pid } = stack.processOf('auth-stepup');
    // Lets the process run only for short moments, like a container that has used up its CPU limit.
    const scrapeAfterPause = async (): Promise<Scrape> => {
      process.kill(pid(), 'SIGSTOP');
      const stoppedAt = Date.now();
      await until(() => Date.now() - stoppedAt > 500, { what: 'half a second' });
      process.kill(pid(), 'SIGCONT');
      return auth();
    };
    const paused = await until(async () => [await scrapeAfterPause()].find(isBusy), { what: 'a busy process' });

    expect(await checkRaised(['EventLoopBlocked'], [before, paused])).toBe('');
  });

  test('TwoVersions is raised when the next release runs alongside the last one', async () => {
    const before = await now();
    const next = createMutatedCopy(join(root, 'test/monitoring/next-version.patch'));
    const upgraded = await startServiceProcess('orders', ordersSettings, { root: next.root });
    const after = await scrapeAll({ ...stack.services, upgraded });
    await upgraded.close();
    next.remove();

    expect(await checkRaised(['TwoVersions'], [before, after])).toBe('');
  });
});
