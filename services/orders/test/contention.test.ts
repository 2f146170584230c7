import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { testSecrets } from '@comanda/testing/test-secrets';
import { stackSettings } from '@comanda/local-stack/stack-settings';
import { budget } from '@comanda/testing/budget';
import { caller, type Call } from '@comanda/testing/call';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { patient } from '@comanda/testing/patient';
import { startServiceProcess, type ServiceProcess } from '@comanda/testing/service-process';
import { startTestIssuer, type TestIssuer } from '@comanda/testing/test-issuer';

let issuer: TestIssuer;
let instances: ServiceProcess[];
let calls: Call[];
beforeAll(async () => {
  const servers = await isolatedServers('orders-contention');
  issuer = await startTestIssuer();
  const stack = stackSettings({ urls: { 'auth-stepup': issuer.url }, servers, secrets: testSecrets() });
  const env = { ...stack.orders, LOG_LEVEL: 'error' };
  instances = await Promise.all([startServiceProcess('orders', env), startServiceProcess('orders', env)]);
  await Promise.all(instances.map((instance) => instance.ready()));
  const token = issuer.token({ sub: 1, role: 'manager' });
  calls = instances.map(({ url }) => patient(caller(url, { token })));
});
afterAll(async () => {
  await Promise.all(instances.map((instance) => instance.end('SIGTERM')));
  await issuer.close();
});

const clientsPerInstance = 64;
const ordersPerClient = budget(3, 20);

test("two busy instances place each of 128 clients' orders exactly once", async () => {
  const dish = await (calls[0] as Call)('POST', '/menu', {
    body: { name: 'Feijoada', price: '10.00', portions_left: 1_000_000 },
  });
  const body = { items: [{ item_id: dish.body.id, quantity: 1 }] };
  const runClient = async (call: Call): Promise<number[]> => {
    const statuses: number[] = [];
    for (let order = 0; order < ordersPerClient; order++) {
      statuses.push((await call('POST', '/orders', { body })).status);
    }
    return statuses;
  };

  const statuses = await Promise.all(
    calls.flatMap((call) => Array.from({ length: clientsPerInstance }, () => runClient(call))),
  );

  expect(new Set(statuses.flat())).toEqual(new Set([201]));
});
