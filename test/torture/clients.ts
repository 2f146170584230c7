import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { caller, codeOf, created, type Call, type Called } from '@comanda/testing/call';
import { managerCredentials, newEmail, password } from '@comanda/testing/credentials';
import { choosePin, depositKey, openAccount, pin, transferKey, wrongPin } from '@comanda/testing/step-up-calls';

/** What clients observed. */
export type Observed = {
  /** By order id: the highest version that a 201 or 200 gave, and the status with it. */
  orders: Map<number, { version: number; status: string; isUnknown: boolean }>;
  /** Portions of the limited dish: ordered by 201, and given back by cancelling what was `received`. */
  portions: { ordered: number; givenBack: number; unknown: number };
  /** Amounts in minor units, by transfer id. */
  transfers: Map<number, { from: number; to: number; minor: number }>;
  pinChecks: number;
  /** Spent tokens that were shown again. */
  reusedTokens: number;
  /** Answers by status and code. */
  answers: Map<string, number>;
  /**
   * Answers 503 that took longer than promised, by call and last fault, with the longest in milliseconds. The time in which
   * this process itself was late is not counted.
   */
  lateRefusals: Map<string, number>;
  longestRefusalMs: number;
  /** Everything that must never happen. */
  broken: string[];
};

export type Actors = Awaited<ReturnType<typeof prepareActors>>;

const promisedRefusalMs = 2_000;
const limitedPortions = 1_000_000;

/** Repeats what is answered 503: the servers have just started, on a machine that may be busy. */
const patient =
  (call: Call): Call =>
  async (...request) => {
    for (let attempt = 1; ; attempt++) {
      const answer = await call(...request);
      if (answer.status !== 503 || attempt === 20) return answer;
      await pause(1000);
    }
  };

/** The manager, customers with money and a PIN, one customer whose PIN is blocked, and the menu. */
export async function prepareActors(gatewayUrl: string) {
  const anyone = patient(caller(gatewayUrl));
  const signIn = async (email: string): Promise<string> =>
    (await anyone('POST', '/auth/login', { body: { email, password } })).body.access_token;
  const register = async (name: string) => {
    const email = newEmail(name);
    const registered = await anyone('POST', '/auth/register', { body: { name, email, password } });
    // 409: an attempt that was answered 503 had registered the user.
    if (registered.status !== 409) created(registered);
    const token = await signIn(email);
    const call = caller(gatewayUrl, { token });
    created(await choosePin(patient(call)));
    return { call, token };
  };
  const managerToken = await signIn(managerCredentials.email);
  const manager = patient(caller(gatewayUrl, { token: managerToken }));
  created(await choosePin(manager));
  created(await manager('POST', '/menu', { body: { name: 'Feijoada', price: '32.50' } }));
  const limited = created(await manager('POST', '/menu', { body: { name: 'Prato do dia', price: '20.00' } }));
  await manager('PUT', `/menu/${limited.id}/availability`, {
    body: { available: true, portions_left: limitedPortions },
  });
  const customers = [];
  for (const name of ['Ana', 'Bruno', 'Caio', 'Davi']) {
    const customer = await register(name);
    const account = await openAccount(patient(customer.call));
    const token = await stepUpToken(manager, depositKey);
    created(
      await manager('POST', `/accounts/${account}/deposits`, {
        headers: { 'x-step-up-token': token },
        body: { amount: '1000.00' },
      }),
    );
    customers.push({ ...customer, account });
  }
  const blocked = await register('Bia');
  for (let guess = 0; guess < 3; guess++) await tryPin(patient(blocked.call), wrongPin);
  return {
    manager: caller(gatewayUrl, { token: managerToken }),
    managerToken,
    customers,
    blocked,
    limitedId: limited.id as number,
    limitedPortions,
  };
}

const tryPin = (call: Call, tried: string, endpointKey = transferKey): Promise<Called> =>
  call('POST', '/security/step-up', { body: { endpoint_key: endpointKey, transaction_password: tried } });
async function stepUpToken(call: Call, endpointKey: string): Promise<string> {
  return created(await tryPin(call, pin, endpointKey)).step_up_token;
}

/**
 * Clients that order, move orders, transfer money and check PINs until they are stopped. `lastFault` is what was broken
 * last, `lateMs` how long this process has been late, in all.
 */
export function startClients(actors: Actors, { lastFault, lateMs }: { lastFault: () => string; lateMs: () => number }) {
  const observed: Observed = {
    orders: new Map(),
    portions: { ordered: 0, givenBack: 0, unknown: 0 },
    transfers: new Map(),
    pinChecks: 0,
    reusedTokens: 0,
    answers: new Map(),
    lateRefusals: new Map(),
    longestRefusalMs: 0,
    broken: [],
  };
  let stopped = false;

  /** One attempt. Null if there was no answer. */
  async function attempt(what: string, send: () => Promise<Called>): Promise<Called | null> {
    const begun = performance.now() - lateMs();
    const answer = await send().catch((error: unknown) => {
      if (error instanceof TypeError) return null; // the connection broke: an instance died
      observed.broken.push(String(error));
      return null;
    });
    const code = answer ? codeOf(answer) : 'no answer';
    observed.answers.set(code, (observed.answers.get(code) ?? 0) + 1);
    const tookMs = Math.round(performance.now() - lateMs() - begun);
    if (answer?.status === 503) observed.longestRefusalMs = Math.max(observed.longestRefusalMs, tookMs);
    const late = `${what}, ${lastFault()}`;
    if (answer?.status === 503 && tookMs > promisedRefusalMs)
      observed.lateRefusals.set(late, Math.max(observed.lateRefusals.get(late) ?? 0, tookMs));
    if (answer?.status === 500) observed.broken.push(`500: ${answer.text}`);
    return answer;
  }
  const isFinal = (answer: Called | null): answer is Called =>
    answer !== null && answer.status < 500 && answer.status !== 429 && codeOf(answer) !== '409 request_in_progress';
  /** Repeats a call that has a key until its answer is final. */
  async function repeat(what: string, send: () => Promise<Called>): Promise<Called | null> {
    for (;;) {
      const answer = await attempt(what, send);
      if (isFinal(answer)) return answer;
      if (stopped) return null;
      await pause(100);
    }
  }

  async function orderAndMove(): Promise<void> {
    const { manager, limitedId } = actors;
    while (!stopped) {
      const key = randomUUID();
      const body = {
        table: '12',
        items: [
          { item_id: limitedId, quantity: 2 },
          { name: 'Feijoada', quantity: 1 },
        ],
      };
      const placed = await repeat('POST /orders', () =>
        manager('POST', '/orders', { headers: { 'idempotency-key': key }, body }),
      );
      if (placed?.status !== 201) {
        observed.portions.unknown += 2;
        if (placed) observed.broken.push(`an order was answered ${codeOf(placed)}`);
        continue;
      }
      const { id, version } = placed.body as { id: number; version: number };
      if (observed.orders.has(id)) observed.broken.push(`order ${id} was given twice`);
      const record = { version, status: 'received', isUnknown: false };
      observed.orders.set(id, record);
      observed.portions.ordered += 2;
      const way = id % 4 === 0 ? ['cancelled'] : ['preparing', 'ready', 'delivered'].slice(0, id % 4);
      for (const status of way) {
        const moved = await attempt('PUT /orders', () => manager('PUT', `/orders/${id}`, { body: { status } }));
        if (moved?.status === 200) {
          Object.assign(record, { version: moved.body.version, status });
          if (status === 'cancelled') observed.portions.givenBack += 2;
          continue;
        }
        // Without an answer the move may have been made or not.
        if (moved && moved.status < 500)
          observed.broken.push(`moving order ${id} to ${status} was answered ${codeOf(moved)}`);
        record.isUnknown = true;
        if (status === 'cancelled') observed.portions.unknown += 2;
        break;
      }
      await pause(30);
    }
  }

  async function transfer(index: number): Promise<void> {
    const from = actors.customers[index];
    const to = actors.customers[(index + 1) % actors.customers.length];
    if (!from || !to) return;
    while (!stopped) {
      const checked = await attempt('POST /security/step-up', () => tryPin(from.call, pin));
      if (checked?.status !== 201) {
        if (checked && checked.status < 500 && checked.body.code !== 'transaction_password_busy')
          observed.broken.push(`a right PIN was answered ${codeOf(checked)}`);
        await pause(100);
        continue;
      }
      observed.pinChecks += 1;
      const token = checked.body.step_up_token as string;
      const send = (key: string) => () =>
        from.call('POST', '/accounts/internal-transfers', {
          headers: { 'idempotency-key': key, 'x-step-up-token': token },
          body: { from_account_id: from.account, to_account_id: to.account, amount: '1.25' },
        });
      const answer = await repeat('POST /accounts/internal-transfers', send(randomUUID()));
      if (answer?.status === 201) {
        const { id } = answer.body as { id: number };
        if (observed.transfers.has(id)) observed.broken.push(`transfer ${id} was given to two calls`);
        observed.transfers.set(id, { from: from.account, to: to.account, minor: 125 });
        const again = await attempt('POST /accounts/internal-transfers', send(randomUUID()));
        observed.reusedTokens += 1;
        if (again && again.status < 400) observed.broken.push(`a spent token had a second effect: ${again.text}`);
      } else if (
        answer &&
        !['422 insufficient_funds', '401 step_up_expired', '401 step_up_used'].includes(codeOf(answer))
      )
        observed.broken.push(`a transfer was answered ${codeOf(answer)}`);
      await pause(50);
    }
  }

  /** Nobody unblocks a PIN by breaking a server. */
  async function tryBlocked(): Promise<void> {
    while (!stopped) {
      const answer = await attempt('POST /security/step-up', () => tryPin(actors.blocked.call, pin));
      if (answer && answer.status < 400) observed.broken.push('a blocked PIN was accepted');
      await pause(300);
    }
  }

  const running = Promise.all([
    ...Array.from({ length: 6 }, orderAndMove),
    ...actors.customers.map((_, index) => transfer(index)),
    tryBlocked(),
  ]);
  return {
    observed,
    stop: async (): Promise<void> => {
      stopped = true;
      await running;
    },
  };
}
