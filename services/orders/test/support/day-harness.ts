import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import { stackSettings } from '@comanda/local-stack/stack-settings';
import { loadConfig } from '@comanda/shared/config/load-config';
import { startAuthStepupHere, type TestUser } from '@comanda/testing/auth-stepup-process';
import { caller, created, type Call, type Called } from '@comanda/testing/call';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { patient, testResponseTimeLimitMs } from '@comanda/testing/patient';
import { recordEvents } from '@comanda/testing/recorded-events';
import { prepareFor } from '@comanda/testing/prepare';
import { reuseDatabases } from '@comanda/testing/reused-databases';
import { freeUrls } from '@comanda/testing/stack';
import { createTestLogger } from '@comanda/testing/test-logger';
import { testSecrets } from '@comanda/testing/test-secrets';
import { until } from '@comanda/testing/until';
import { untilReady } from '@comanda/testing/until-ready';
import { ordersSettings } from '../../src/config.ts';
import { ordersPreparation } from '../../src/preparation.ts';
import { startOrders } from '../../src/service.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- responses are checked against their contract
type Json = any;
export type DayHarness = Awaited<ReturnType<typeof startDayHarness>>;

/** Starts orders with the real auth-stepup, whose PIN closes days, and creates helpers for an evening. */
export async function startDayHarness(
  name: string,
  { clock = Date.now, onLine }: { clock?: () => number; onLine?: (logLine: string) => void } = {},
) {
  const { servers, giveBack } = await reuseDatabases(await isolatedServers(name), 'day');
  const stack = stackSettings({ urls: await freeUrls(), servers, secrets: testSecrets() });
  const auth = await startAuthStepupHere(stack['auth-stepup']);
  const settings = { PORT: '0', MONGODB_DATABASE: servers.database, TIME_ZONE: 'America/Sao_Paulo' };
  const config = loadConfig(ordersSettings, { ...stack.orders, ...settings });
  await prepareFor(config, ordersPreparation);
  const service = await startOrders(config, createTestLogger('orders', onLine && { level: 'debug', onLine }), {
    clock,
    responseTimeLimitMs: testResponseTimeLimitMs,
  });
  await untilReady(service.url);
  await auth.ready();
  const events = await recordEvents(servers.rabbitmqUrl);
  const client = await new mongoose.mongo.MongoClient(config.mongodbUri).connect();
  const db = client.db(config.mongodbDatabase);
  const [marta, wanda] = [await auth.manager('Marta'), await auth.waiter('Wanda')];
  const [manager, waiter] = [caller(service.url, marta), caller(service.url, wanda)];
  const feijoada = created(await manager('POST', '/menu', { body: { name: 'Feijoada', price: '30.00' } })).id as number;
  await manager('PUT', '/restaurant', { body: { service_charge: { rate: '10.00', optional: true } } });

  const post = async (path: string, body: object, call: Call = waiter): Promise<Json> =>
    created(await call('POST', path, { body, headers: { 'Idempotency-Key': randomUUID() } }));
  /** Places an order on a new bill of 30.00 and 3.00 service charge for each Feijoada. Returns the bill's id. */
  const newBill = async (quantity = 1, call: Call = waiter): Promise<number> =>
    (await post('/orders', { items: [{ item_id: feijoada, quantity }] }, call)).bill_id;
  const getBill = async (id: number): Promise<Json> => (await waiter('GET', `/bills/${id}`)).body;
  /** Pays the rest of a bill. */
  const pay = async (
    id: number,
    { call = waiter, ...body }: { call?: Call } & Record<string, unknown> = {},
  ): Promise<Json> => {
    const { remaining } = await getBill(id);
    const paid = { method: 'cash', part: { rest: true }, expected_amount: remaining, ...body };
    return post(`/bills/${id}/payments`, paid, call);
  };
  const refund = (id: number, payment: number, body: object = {}): Promise<Called> =>
    manager('POST', `/bills/${id}/payments/${payment}/refund`, { body: { reason: 'Twice', ...body } });
  const close = (id: number): Promise<Called> => waiter('POST', `/bills/${id}/close`, { body: {} });
  const count = (
    drawer: string,
    counted: string,
    { call = manager, ...body }: { call?: Call; left?: string; to?: string } = {},
  ): Promise<Json> =>
    // On a busy machine, a count that would take too long is 503.
    patient(call)('POST', `/cash-drawers/${drawer}/counts`, { body: { counted, ...body } }).then(created);
  const move = (drawer: string, body: object): Promise<Json> =>
    post(`/cash-drawers/${drawer}/movements`, { reason: 'Test', ...body }, manager);
  const day = async (): Promise<Json> => (await manager('GET', '/day')).body;
  const tokenFor = (body: { number: number; previous_hash: string }, user: TestUser = marta): Promise<string> =>
    auth.issueStepUpToken({
      userId: user.id,
      endpointKey: 'day.close',
      details: [{ type: 'day_close', number: body.number, previous_hash: body.previous_hash }] as never,
    });
  /** Closes the running day with a PIN. Repeats it after a 503, as an app does. */
  const closeDay = async (
    fields: Record<string, unknown> = {},
    { token, key }: { token?: string; key?: string } = {},
  ): Promise<Called> => {
    const { number, previous_hash } = await day();
    const body = { number, previous_hash, ...fields };
    const headers = {
      'X-Step-Up-Token': token ?? (await tokenFor(body)),
      ...(key !== undefined && { 'idempotency-key': key }),
    };
    return patient(manager)('POST', '/day/close', { body, headers });
  };
  /** Returns a closed day's figures as soon as they are stored, without asking the service for them. */
  const figuresStored = (number: number): Promise<Json> =>
    until(async () => (await db.collection<Json>('day_statistics').findOne({ _id: number }))?.figures, {
      what: `the figures of day ${number}`,
      timeoutMs: 10_000,
    });
  return {
    url: service.url,
    servers,
    stack,
    auth,
    db,
    marta,
    wanda,
    manager,
    waiter,
    feijoada,
    post,
    newBill,
    getBill,
    pay,
    refund,
    close,
    count,
    move,
    day,
    tokenFor,
    closeDay,
    figuresStored,
    events,
    stop: async (): Promise<void> => {
      await events.close();
      await service.close();
      await auth.close();
      await client.close();
      giveBack();
    },
  };
}
