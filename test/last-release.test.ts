import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { endpoints } from '@comanda/contracts/registry';
import { root } from '@comanda/local-stack/root';
import { perService } from '@comanda/local-stack/stack-settings';
import { caller, codeOf, created, type Call } from '@comanda/testing/call';
import { managerCredentials } from '@comanda/testing/credentials';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { patient } from '@comanda/testing/patient';
import { signIn } from '@comanda/testing/stack';
import { consentTo } from '@comanda/testing/step-up-calls';
import { until } from '@comanda/testing/until';
import { MongoClient, type Db } from 'mongodb';
import { recordedSecrets, restoreDatabases } from './versions/recorded-databases.ts';
import { startReleases, type Releases } from './versions/releases.ts';

// Runs the current services on databases that the last release has filled (test/last-release, recorded by
// scripts/record-databases.ts).

type Stored = { _id: number; nome: string; email: string };
let client: MongoClient;
let db: (name: 'auth' | 'orders' | 'transfers') => Db;
let services: Releases;
let manager: Call;
beforeAll(async () => {
  const servers = await isolatedServers('last-release');
  client = await new MongoClient(servers.mongodbUri).connect();
  db = (name) => client.db(`${servers.database}_${name}`);
  await restoreDatabases(client, servers.database);
  const sources = { name: 'this one', root };
  services = await startReleases(servers, { first: perService(() => sources), secrets: recordedSecrets() });
  manager = await signedIn(managerCredentials.email);
});
afterAll(async () => {
  await services?.close();
  await client?.close();
});

/**
 * Signs in this user and returns a function that makes calls. Calls are retried after a 503, because newly started services are
 * slow on a busy machine.
 */
async function signedIn(email: string): Promise<Call> {
  const token = await signIn(patient(caller(services.gatewayUrl)), email);
  return patient(caller(services.gatewayUrl, { token }));
}
const idsIn = async (name: 'orders' | 'transfers', collection: string): Promise<number[]> =>
  (await db(name).collection<Stored>(collection).find().toArray()).map(({ _id }) => _id);

describe("with the last release's databases", () => {
  test.each(['auth', 'orders', 'transfers'] as const)('%s is prepared when the services start', async (name) => {
    const prepared = await db(name)
      .collection<{ _id: string; version: string }>('preparations')
      .findOne({ _id: 'database' });

    expect(prepared?.version).toMatch(/^\d+\.\d+\.\d+$/);
  });

  const lists = endpoints.filter(
    ({ method, path, who }) => method === 'GET' && !path.includes('{') && (who === 'anyone' || who.includes('manager')),
  );
  test.each(lists.map(({ path }) => path))(
    '%s returns a response to a manager that follows its contract',
    async (path) => {
      expect(codeOf(await manager('GET', path))).toBe('200');
    },
  );

  test('every order and bill follows its contract', async () => {
    const [orders, bills] = [await idsIn('orders', 'pedidos'), await idsIn('orders', 'bills')];
    const paths = [...orders.map((id) => `/orders/${id}`), ...bills.map((id) => `/bills/${id}`)];

    const responses: string[] = [];
    for (const path of paths)
      responses.push(codeOf(await manager('GET', path)), codeOf(await manager('GET', `${path}/history`)));

    expect(paths.length).toBeGreaterThan(6);
    expect([...new Set(responses)]).toEqual(['200']);
  });

  test('every account and its entries follow their contracts', async () => {
    const ids = await idsIn('transfers', 'accounts');

    const responses: string[] = [];
    for (const id of ids)
      responses.push(
        codeOf(await manager('GET', `/accounts/${id}`)),
        codeOf(await manager('GET', `/accounts/${id}/entries`)),
      );

    expect(ids.length).toBeGreaterThan(3);
    expect([...new Set(responses)]).toEqual(['200']);
  });

  test('a customer can pay an open bill with their old PIN', async () => {
    const ana = await db('auth').collection<Stored>('usuarios').findOne({ nome: 'Ana' });
    const call = await signedIn(ana?.email ?? '');
    type Bill = { id: number; status: string; remaining: string };
    const bills = (await call('GET', '/bills')).body as Bill[];
    const open = bills.find(({ status, remaining }) => status === 'open' && remaining !== '0.00');
    if (!open) throw new Error('Ana has no open bill.');
    const account = (await call('GET', '/accounts')).body[0].id as number;
    const reserved = { method: 'account', part: { rest: true }, expected_amount: open.remaining };
    const payment = created(await call('POST', `/bills/${open.id}/payments`, { body: reserved }));
    const what = { payment_id: payment.id, from_account_id: account, amount: payment.total, currency: 'BRL' };
    const headers = { 'x-step-up-token': await consentTo(call, { type: 'bill_payment', ...what }) };

    created(await call('POST', '/accounts/bill-payments', { body: what, headers }));
    const isPaid = async () => (await call('GET', `/bills/${open.id}/payments/${payment.id}`)).body.status === 'paid';
    await until(isPaid, { what: 'the bill to be paid' });

    expect(codeOf(await manager('POST', `/bills/${open.id}/close`, { body: {} }))).toBe('200');
    const env = { PATH: process.env['PATH'], ...services.env.transfers };
    const args = ['--conditions=source', 'services/transfers/src/verify-ledger.ts'];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env });
    expect(stdout).toMatch(/^The ledger is intact: .* Every consent is for its transfer\.$/m);
  });
});
