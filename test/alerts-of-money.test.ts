import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { stackSettings } from '@comanda/local-stack/stack-settings';
import { caller, created, type Call } from '@comanda/testing/call';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { importOf, startServiceHere } from '@comanda/testing/service-here';
import type { RunningService } from '@comanda/testing/service-process';
import { startStack, type Stack } from '@comanda/testing/stack';
import {
  choosePin,
  consentTo,
  depositKey,
  openAccount,
  registerCustomer,
  tokenFor,
  withoutLimits,
} from '@comanda/testing/step-up-calls';
import { createTestClock, type TestClock } from '@comanda/testing/test-clock';
import { startTestIssuer, type TestIssuer } from '@comanda/testing/test-issuer';
import { testSecrets } from '@comanda/testing/test-secrets';
import { holdDocument } from '@comanda/testing/hold-document';
import { until } from '@comanda/testing/until';
import { MongoClient, type Db } from 'mongodb';
import { hasPromtool } from './monitoring/find-promtool.ts';
import { checkRaised, scrape, scrapeAll, type Scrape } from './monitoring/raised-alerts.ts';

// As in alerts.test.ts, the tests cause real problems and use the services' real metrics.
const describeWithPromtool = hasPromtool ? describe : describe.skip;

describeWithPromtool('among the alerts about the journal', () => {
  let issuer: TestIssuer;
  let mongo: MongoClient;
  let db: Db;
  let clock: TestClock;
  let transfers: RunningService;
  let customer: Call;
  beforeAll(async () => {
    const servers = await isolatedServers('alerts-journal');
    issuer = await startTestIssuer();
    mongo = await new MongoClient(servers.mongodbUri).connect();
    db = mongo.db(`${servers.database}_transfers`);
    clock = createTestClock();
    const env = {
      ...stackSettings({ servers, secrets: testSecrets() }).transfers,
      JWKS_URL: issuer.jwksUrl,
      PORT: '0',
      CHECKPOINT_EVERY_S: '1',
    };
    const { startTransfers } = (await importOf('transfers', 'src/service.ts')) as {
      startTransfers: (
        config: object,
        logger: object,
        o: { clock: () => number },
      ) => ReturnType<typeof startServiceHere>;
    };
    transfers = await startServiceHere('transfers', {
      env,
      start: (config, logger) => startTransfers(config, logger, { clock }),
    });
    await transfers.ready();
    customer = caller(transfers.url, {
      token: issuer.token({ sub: 1, role: 'customer', name: 'Ana', lifetimeS: 7200 }),
    });
  });
  afterAll(async () => {
    await transfers?.close();
    await mongo?.close();
    await issuer?.close();
  });

  test('LedgerTampered is raised when the database assigns an account to another user', async () => {
    const before = await scrapeAll({ transfers });
    const account = await openAccount(customer);
    await db.collection<{ _id: number }>('accounts').updateOne({ _id: account }, { $set: { owner_id: 9 } });
    const { status } = await customer('GET', `/accounts/${account}`);

    expect(status).toBe(503);
    expect(await checkRaised(['LedgerTampered'], [before, await scrapeAll({ transfers })])).toBe('');
  });

  test('CheckpointsAreOld is raised when no checkpoint could be stored for 15 minutes', async () => {
    const before = await scrapeAll({ transfers });
    await db.command({ collMod: 'checkpoints', validator: { nobody: { $exists: true } } });
    await openAccount(customer);
    await until(() => transfers.output().includes('could not make a checkpoint'), { what: 'a failed checkpoint' });
    clock.advance({ minutes: 16 });

    expect(await checkRaised(['CheckpointsAreOld'], [before, await scrapeAll({ transfers })])).toBe('');
  });
});

describeWithPromtool('among the alerts about money', () => {
  let stack: Stack;
  let mongo: MongoClient;
  let database: (service: string) => Db;
  let manager: Call;
  beforeAll(async () => {
    const servers = await isolatedServers('alerts-money');
    const settings = { ...withoutLimits, CHECKPOINT_EVERY_S: '1' };
    stack = await startStack(servers, settings, ['orders']);
    mongo = await new MongoClient(servers.mongodbUri).connect();
    database = (service) => mongo.db(`${servers.database}_${service}`);
    manager = caller(stack.gatewayUrl, { token: stack.managerToken });
    created(await choosePin(manager));
  });
  afterAll(async () => {
    await stack?.close();
    await mongo?.close();
  });
  const now = (): Promise<Scrape> => scrapeAll(stack.services);
  /** Returns the first scrape that contains this metric. Until then, the service may be down. */
  const untilCounts = (metric: string): Promise<Scrape> => {
    const counts = (of: Scrape): boolean =>
      [...of].some(([name, value]) => name.startsWith(`${metric}{`) && Number(value) > 0);
    return until(async () => [await scrape(stack.services)].find(counts), { what: metric });
  };
  /** Registers a customer who has a PIN, and an account with 100.00. */
  async function newPayer(): Promise<{ call: Call; account: number }> {
    const { call } = await registerCustomer(stack, 'Ana');
    created(await choosePin(call));
    const account = await openAccount(call);
    const headers = { 'x-step-up-token': await tokenFor(manager, depositKey) };
    created(await manager('POST', `/accounts/${account}/deposits`, { body: { amount: '100.00' }, headers }));
    return { call, account };
  }

  test('LedgerTampered is raised when a signed entry is deleted', async () => {
    const { account } = await newPayer();
    const signed = { heads: { $elemMatch: { account, seq: 1 } } };
    await until(() => database('transfers').collection('checkpoints').findOne(signed), { what: 'a checkpoint' });
    const before = await now();
    const accounts = database('transfers').collection<{ _id: number }>('accounts');
    await accounts.updateOne({ _id: account }, { $set: { seq: 0 } });
    await untilCounts('comanda_checkpoint_defects_total');

    expect(await checkRaised(['LedgerTampered'], [before, await now()])).toBe('');
  });

  test('BillPaymentsUnfinished is raised when orders stops before a claimed payment has an outcome', async () => {
    const { call, account } = await newPayer();
    const dish = created(await manager('POST', '/menu', { body: { name: 'Moqueca', price: '20.00' } }));
    const order = created(await call('POST', '/orders', { body: { items: [{ item_id: dish.id, quantity: 1 }] } }));
    const body = { method: 'account', part: { rest: true }, expected_amount: '20.00' };
    const payment = created(await call('POST', `/bills/${order.bill_id}/payments`, { body }));
    const what = { payment_id: payment.id, from_account_id: account, amount: '20.00', currency: 'BRL' };
    const token = await consentTo(call, { type: 'bill_payment', ...what });
    const before = await now();
    const orders = stack.processOf('orders');
    // The lock on the account delays the posting of the transfer until orders has stopped.
    const held = await holdDocument(database('transfers'), {
      collection: 'accounts',
      filter: { _id: account },
      change: { $set: { name: 'held' } },
    });
    const headers = { 'x-step-up-token': token };
    const paying = call('POST', '/accounts/bill-payments', { body: what, headers });
    const claimed = { payments: { $elemMatch: { id: payment.id, status: 'claimed' } } };
    await until(() => database('orders').collection('bills').findOne(claimed), { what: 'a claimed payment' });
    const ended = orders.end('SIGKILL');
    await held.abort();
    const { status } = await paying;
    await ended;
    const after = await untilCounts('comanda_bill_attempts');
    await orders.start();

    expect([201, 503]).toContain(status); // On a slow machine, the response is 503, because the outcome is not known in time.
    expect(await checkRaised(['BillPaymentsUnfinished'], [before, after])).toBe('');
  });
});
