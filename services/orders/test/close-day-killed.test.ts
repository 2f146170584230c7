import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { stackSettings } from '@comanda/local-stack/stack-settings';
import { startAuthStepupHere, type TestingAuthStepup, type TestUser } from '@comanda/testing/auth-stepup-process';
import { caller, codeOf, created, type Call } from '@comanda/testing/call';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { patient } from '@comanda/testing/patient';
import { startServiceProcess, type ServiceProcess } from '@comanda/testing/service-process';
import { freeUrls } from '@comanda/testing/stack';
import { testSecrets } from '@comanda/testing/test-secrets';

// oxlint-disable-next-line typescript/no-explicit-any -- responses are checked against their contract
type Json = any;
let auth: TestingAuthStepup;
let service: ServiceProcess;
let marta: TestUser;
let manager: Call;
beforeAll(async () => {
  const servers = await isolatedServers('orders-close-day-killed');
  const stack = stackSettings({ urls: await freeUrls(), servers, secrets: testSecrets() });
  auth = await startAuthStepupHere(stack['auth-stepup']);
  service = await startServiceProcess('orders', { ...stack.orders, LOG_LEVEL: 'error' });
  await Promise.all([auth.ready(), service.ready()]);
  marta = await auth.manager('Marta');
  manager = patient(caller(service.url, marta));
  created(await manager('POST', '/menu', { body: { name: 'Feijoada', price: '30.00' } }));
});
afterAll(async () => {
  await service.end('SIGTERM');
  await auth.close();
});

async function payOneBill(): Promise<void> {
  const { bill_id: id } = created(
    await manager('POST', '/orders', { body: { items: [{ name: 'Feijoada', quantity: 1 }] } }),
  );
  const paid = { method: 'card', part: { rest: true }, expected_amount: '30.00' };
  created(await manager('POST', `/bills/${id}/payments`, { body: paid }));
}

/** How long after the request the service is killed, in milliseconds. */
const many = process.env['COMANDA_LONG'] === '1' ? 30 : 4;
const moments = Array.from({ length: many }, (_, at) => Math.round(6 * 1.6 ** (at % 10)));

test(
  'a closing whose service is killed has one report or none, and is finished by the same request',
  async () => {
    for (const moment of moments) {
      await payOneBill();
      const { number, previous_hash } = (await manager('GET', '/day')).body;
      const token = await auth.issueStepUpToken({
        userId: marta.id,
        endpointKey: 'day.close',
        details: [{ type: 'day_close', number, previous_hash }] as never,
      });
      const headers = { 'idempotency-key': randomUUID(), 'X-Step-Up-Token': token };
      const close = (call: Call) =>
        call('POST', '/day/close', { body: { number, previous_hash, carry_over: 'all' }, headers });

      const early = Promise.allSettled([close(caller(service.url, marta))]);
      await sleep(moment);
      await service.end('SIGKILL');
      await early;
      await service.start();
      await service.ready();

      const before: Json[] = (await manager('GET', '/days')).body;
      const running = (await manager('GET', '/day')).body;
      expect({ moment, running: running.number }).toEqual({ moment, running: before.length + 1 });
      const closed = await close(manager);
      const after: Json[] = (await manager('GET', '/days')).body;
      expect({ moment, code: codeOf(closed), days: after.length }).toEqual({ moment, code: '201', days: number });
      expect(after[0]).toEqual(closed.body);
      expect(closed.body).toMatchObject({ previous_hash, payments: [{ method: 'card', count: 1, amount: '30.00' }] });
    }
  },
  many * 15_000,
);
