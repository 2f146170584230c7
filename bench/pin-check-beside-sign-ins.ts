// PIN checks of one user while one address sends 15 sign-ins a second with fresh e-mail addresses, against the same checks
// without them. The limits are those of production.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { startAuthStepupBench } from './auth-stepup/service.ts';
import { limit, percentile } from './support.ts';

const signInsPerSecond = 15;
const checks = 60;

const bench = await startAuthStepupBench({ RATE_LIMIT_SIGN_IN: '10', RATE_LIMIT_SIGN_IN_ADDRESS: '60' });
const [honest] = await bench.createUsers(1);
if (!honest) throw new Error('no user');
const { token } = honest;
const pin = '739152';
await bench.post('/security/transaction-password', {
  token,
  body: { transaction_password: pin, confirmation: pin },
  expect: 201,
});

async function checkPin(): Promise<number> {
  const begun = performance.now();
  const body = { endpoint_key: 'internal_transfer.create', transaction_password: pin };
  await bench.post('/security/step-up', { token, body, expect: 201 });
  return performance.now() - begun;
}
async function p99(): Promise<number> {
  const took: number[] = [];
  while (took.length < checks) took.push(await checkPin());
  return percentile(took, 0.99);
}
async function signIn(): Promise<void> {
  const answer = await fetch(`${bench.url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.7' },
    body: JSON.stringify({ email: `${randomUUID()}@bench.test`, password: 'not-the-password' }),
  });
  await answer.text();
}
/** The result of `work`, while the sign-ins arrive. */
async function besideSignIns<T>(work: () => Promise<T>): Promise<T> {
  const sent: Promise<void>[] = [];
  const done = work();
  let over = false;
  const end = done.finally(() => (over = true));
  while (!over) {
    sent.push(signIn());
    await sleep(1000 / signInsPerSecond);
  }
  await Promise.all(sent);
  return end;
}

await p99(); // warms up
await limit({
  name: 'pin-check-beside-sign-ins',
  what: `p99 of a PIN check beside ${signInsPerSecond} sign-ins a second from one address, against its quiet p99`,
  unit: 'times',
  ours: async () => {
    const quiet = await p99();
    return (await besideSignIns(p99)) / quiet;
  },
  atMost: 2,
});
await bench.stop();
