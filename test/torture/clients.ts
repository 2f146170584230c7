import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { caller, codeOf, created, type Call, type Called } from '@comanda/testing/call';
import { managerCredentials, newEmail, password } from '@comanda/testing/credentials';
import { choosePin, depositKey, openAccount, pin, transferKey, wrongPin } from '@comanda/testing/step-up-calls';
import type { Observed } from './observed.ts';
import { staySignedIn, type SignedIn, type TokenPair } from './signed-in.ts';

export type Actors = Awaited<ReturnType<typeof prepareActors>>;

const promisedRefusalMs = 2_000;
/** A client of ours gives up one attempt then (packages/client). */
const clientGivesUpMs = 15_000;
/** How long a call that was under way in the end is still repeated, to learn what became of it. */
const settlingMs = 60_000;
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

/** The manager, customers with money and a PIN, guests at two tables, one customer whose PIN is blocked, and the menu. */
export async function prepareActors(gatewayUrl: string) {
  const anyone = patient(caller(gatewayUrl));
  const users: SignedIn[] = [];
  const stay = (pair: TokenPair): SignedIn => {
    const user = staySignedIn(gatewayUrl, pair);
    users.push(user);
    return user;
  };
  const signIn = async (email: string): Promise<SignedIn> =>
    stay((await anyone('POST', '/auth/login', { body: { email, password } })).body);
  const register = async (name: string): Promise<SignedIn> => {
    const email = newEmail(name);
    const registered = await anyone('POST', '/auth/register', { body: { name, email, password } });
    // 409: an attempt that was answered 503 had registered the user.
    if (registered.status !== 409) created(registered);
    const user = await signIn(email);
    created(await choosePin(patient(user.call)));
    return user;
  };
  const signedIn = await signIn(managerCredentials.email);
  const manager = patient(signedIn.call);
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
    const { id: depositId } = created(
      await manager('POST', `/accounts/${account}/deposits`, {
        headers: { 'x-step-up-token': token },
        body: { amount: '1000.00' },
      }),
    );
    customers.push({ ...customer, account, depositId: depositId as number, startMinor: 100_000 });
  }
  const guests = [];
  for (const table of ['14', '15']) {
    const { table_token: tableToken } = created(await manager('PUT', `/tables/${table}`));
    guests.push(stay((await anyone('POST', '/auth/guest', { body: { table_token: tableToken } })).body));
  }
  const blocked = await register('Bia');
  for (let guess = 0; guess < 3; guess++) await tryPin(patient(blocked.call), wrongPin);
  return {
    manager: signedIn.call,
    managerScreen: signedIn,
    customers,
    guests,
    blocked,
    limitedId: limited.id as number,
    limitedPortions,
    close: () => {
      for (const user of users) user.close();
    },
  };
}

const tryPin = (call: Call, tried: string, endpointKey = transferKey): Promise<Called> =>
  call('POST', '/security/step-up', { body: { endpoint_key: endpointKey, transaction_password: tried } });
async function stepUpToken(call: Call, endpointKey: string): Promise<string> {
  return created(await tryPin(call, pin, endpointKey)).step_up_token;
}

type ClientOptions = {
  /** How long each rests between two orders or two transfers. */
  restMs: number;
  /** What they note. */
  observed: Observed;
  /** What was broken last. */
  lastFault: () => string;
  /** How long this process has been late, in all. */
  lateMs: () => number;
};
/** Clients that order, move orders, transfer money and check PINs until they are stopped. */
export function startClients(actors: Actors, { restMs, observed, lastFault, lateMs }: ClientOptions) {
  let stopped = false;
  let giveUpAt = Infinity;
  const now = (): number => performance.now() - lateMs();

  /** One attempt. Null if there was no answer. */
  async function attempt(what: string, send: () => Promise<Called>): Promise<Called | null> {
    const begun = now();
    let why = '';
    const answer = await send().catch((error: unknown) => {
      why = String((error as Error).cause ?? error);
      if (error instanceof TypeError) return null; // the connection broke: an instance died
      observed.broken.push(String(error));
      return null;
    });
    const code = answer ? codeOf(answer) : 'no answer';
    observed.answers.set(code, (observed.answers.get(code) ?? 0) + 1);
    const tookMs = Math.round(now() - begun);
    if (answer?.status === 503) observed.longestRefusalMs = Math.max(observed.longestRefusalMs, tookMs);
    const late = `${what}, ${lastFault()}`;
    if (answer?.status === 503 && tookMs > promisedRefusalMs) note(observed.lateRefusals, late, tookMs);
    if (tookMs > clientGivesUpMs) note(observed.lateAnswers, late, tookMs);
    if (!answer || answer.status >= 500) {
      const failure = `${what}: ${code} ${answer?.body?.detail ?? why}`.trim();
      observed.failures.set(failure, (observed.failures.get(failure) ?? 0) + 1);
    }
    if (answer?.status === 500) observed.broken.push(`500: ${answer.text}`);
    return answer;
  }
  const isFinal = (answer: Called | null): answer is Called =>
    answer !== null && answer.status < 500 && answer.status !== 429 && codeOf(answer) !== '409 request_in_progress';
  /** Repeats a call that has a key until its answer is final. Null if it still is not, long after the end. */
  async function repeat(what: string, send: () => Promise<Called>): Promise<Called | null> {
    for (;;) {
      const answer = await attempt(what, send);
      if (isFinal(answer)) return answer;
      if (performance.now() > giveUpAt) return null;
      await pause(100);
    }
  }

  /** One client places orders, at a table or as the guest who sits there; the manager moves them. */
  async function orderAndMove(client: { call: Call; table?: string }): Promise<void> {
    const { manager, limitedId } = actors;
    const body = {
      ...(client.table !== undefined && { table: client.table }),
      items: [
        { item_id: limitedId, quantity: 2 },
        { name: 'Feijoada', quantity: 1 },
      ],
    };
    while (!stopped) {
      const headers = { 'idempotency-key': randomUUID() };
      const placed = await repeat('POST /orders', () => client.call('POST', '/orders', { headers, body }));
      if (placed?.status !== 201) {
        observed.portions.unknown += 2;
        observed.unknownOrders += 1;
        if (placed) observed.broken.push(`an order was answered ${codeOf(placed)}`);
        continue;
      }
      const { id, version } = placed.body as { id: number; version: number };
      if (observed.orders.has(id)) observed.broken.push(`order ${id} was given twice`);
      const record = { versions: [version], status: 'received', isUnknown: false };
      observed.orders.set(id, record);
      observed.acceptedAt.set(id, now());
      observed.portions.ordered += 2;
      if (id % 5 === 0) {
        const again = await attempt('POST /orders', () => client.call('POST', '/orders', { headers, body }));
        if (again?.status === 201 && again.body.id !== id)
          observed.broken.push(`order ${id} was placed again as ${again.body.id}, with the same key`);
      }
      // Guests at one table may have so many open items only: theirs are all delivered.
      const moves = ['preparing', 'ready', 'delivered'].slice(0, client.table === undefined ? 3 : id % 4);
      const way = id % 4 === 0 ? ['cancelled'] : moves;
      for (const status of way) {
        const moved = await attempt('PUT /orders', () => manager('PUT', `/orders/${id}`, { body: { status } }));
        if (moved?.status === 200) {
          record.versions.push(moved.body.version);
          record.status = status;
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
      await pause(restMs);
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
      } else if (answer && codeOf(answer) === '401 step_up_invalid' && lastFault().startsWith('Redis')) {
        // A new primary may lack the last writes of the one before (docs/architecture.md, "Redis"): nothing was moved.
        observed.lostTokens += 1;
      } else if (
        answer &&
        !['422 insufficient_funds', '401 step_up_expired', '401 step_up_used'].includes(codeOf(answer))
      )
        observed.broken.push(`a transfer was answered ${codeOf(answer)} after ${lastFault()}`);
      if (!answer) observed.unknownTransfers += 1;
      await pause(restMs);
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
    ...Array.from({ length: 4 }, () => orderAndMove({ call: actors.manager, table: '12' })),
    ...actors.guests.map(({ call }) => orderAndMove({ call })),
    ...actors.customers.map((_, index) => transfer(index)),
    tryBlocked(),
  ]);
  return {
    stop: async (): Promise<void> => {
      stopped = true;
      giveUpAt = performance.now() + settlingMs;
      await running;
    },
  };
}

const note = (longest: Map<string, number>, what: string, tookMs: number): void =>
  void longest.set(what, Math.max(longest.get(what) ?? 0, tookMs));
