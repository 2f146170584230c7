import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { caller, codeOf, created, type Call, type Called } from '@comanda/testing/call';
import { managerCredentials, newEmail, password } from '@comanda/testing/credentials';
import { choosePin, depositKey, openAccount, pin, transferKey, wrongPin } from '@comanda/testing/step-up-calls';
import { createAttempts, type ClientOptions } from './attempts.ts';
import { payBills, type Issuer } from './bill-payers.ts';
import { staySignedIn, type SignedIn, type TokenPair } from './signed-in.ts';

export type Actors = Awaited<ReturnType<typeof prepareActors>>;

/** How long clients keep retrying unfinished calls after the end of the run, in milliseconds. */
const settlingMs = 60_000;
const limitedPortions = 1_000_000;
/** The number of portions of a dish that is meant to sell out again and again. */
const scarcePortions = 10;
const tooMuch = '9999999.99';

/** Returns a function that retries a call after a 503, because the servers have just started and the machine may be busy. */
const patient =
  (call: Call): Call =>
  async (...request) => {
    for (let attempt = 1; ; attempt++) {
      const response = await call(...request);
      if (response.status !== 503 || attempt === 20) return response;
      await pause(1000);
    }
  };

/** Creates the menu, the manager, customers with money and a PIN, guests at two tables, and a customer with a blocked PIN. */
export async function prepareActors(gatewayUrl: string, issuer: Issuer) {
  const anyone = patient(caller(gatewayUrl));
  const users: SignedIn[] = [];
  const stay = (pair: TokenPair): SignedIn => {
    const user = staySignedIn(gatewayUrl, pair);
    users.push(user);
    return user;
  };
  const signIn = async (email: string): Promise<SignedIn> =>
    stay((await anyone('POST', '/auth/login', { body: { email, password } })).body);
  const register = async (name: string): Promise<SignedIn & { id: number }> => {
    const email = newEmail(name);
    const registered = await anyone('POST', '/auth/register', { body: { name, email, password } });
    // A 409 means that an earlier attempt registered the user even though its response was a 503.
    if (registered.status !== 409) created(registered);
    const user = await signIn(email);
    created(await choosePin(patient(user.call)));
    return { ...user, id: await idOf(user.call) };
  };
  const signedIn = await signIn(managerCredentials.email);
  const manager = patient(signedIn.call);
  created(await choosePin(manager));
  created(await manager('POST', '/menu', { body: { name: 'Feijoada', price: '32.50' } }));
  const addLimited = async (name: string, portions: number): Promise<LimitedDish> => {
    const { id } = created(await manager('POST', '/menu', { body: { name, price: '20.00' } }));
    await manager('PUT', `/menu/${id}/availability`, { body: { available: true, portions_left: portions } });
    return { id, portions };
  };
  const fund = async (account: number, amount: string): Promise<void> => {
    const token = await stepUpToken(manager, depositKey);
    const deposit = { headers: { 'x-step-up-token': token }, body: { amount } };
    created(await manager('POST', `/accounts/${account}/deposits`, deposit));
  };
  const limited = await addLimited('Prato do dia', limitedPortions);
  const scarce = await addLimited('Bolo', scarcePortions);
  const customers = [];
  for (const name of ['Ana', 'Bruno', 'Caio', 'Davi']) {
    const customer = await register(name);
    const account = await openAccount(patient(customer.call));
    await fund(account, '1000.00');
    customers.push({ ...customer, account, startMinor: 100_000 });
  }
  const payers = [];
  for (const name of ['Eva', 'Flora', 'Gal', 'Hugo']) {
    const payer = await register(name);
    const [account, emptyAccount] = [await openAccount(patient(payer.call)), await openAccount(patient(payer.call))];
    await fund(account, '100000.00');
    payers.push({ ...payer, account, emptyAccount, startMinor: 10_000_000 });
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
    managerId: await idOf(manager),
    managerScreen: signedIn,
    customers,
    payers,
    guests,
    blocked,
    limited,
    scarce,
    issuer,
    close: () => {
      for (const user of users) user.close();
    },
  };
}

type LimitedDish = { id: number; portions: number };
const idOf = async (call: Call): Promise<number> => (await call('GET', '/auth/me')).body.id;
const tryPin = (call: Call, tried: string, endpointKey = transferKey): Promise<Called> =>
  call('POST', '/security/step-up', { body: { endpoint_key: endpointKey, transaction_password: tried } });
async function stepUpToken(call: Call, endpointKey: string): Promise<string> {
  return created(await tryPin(call, pin, endpointKey)).step_up_token;
}

/** Starts clients that place orders, change their status, transfer money, pay bills and check PINs, until they are stopped. */
export function startClients(actors: Actors, options: ClientOptions) {
  const { restMs, observed, lastFault } = options;
  let stopped = false;
  const attempts = createAttempts(options);
  const { attempt, repeat, now } = attempts;

  /** Places one order after another for a table, or as the guest who sits there. The manager then changes the order's status. */
  async function orderAndMove(client: { call: Call; table?: string }): Promise<void> {
    const { manager, limited } = actors;
    const portions = observed.portionsOf(limited.id);
    const body = {
      ...(client.table !== undefined && { table: client.table }),
      items: [
        { item_id: limited.id, quantity: 2 },
        { name: 'Feijoada', quantity: 1 },
      ],
    };
    while (!stopped) {
      const headers = { 'idempotency-key': randomUUID() };
      const placed = await repeat('POST /orders', () => client.call('POST', '/orders', { headers, body }));
      if (placed?.status !== 201) {
        portions.unknown += 2;
        observed.unknownOrders += 1;
        if (placed) observed.broken.push(`an order was answered ${codeOf(placed)}`);
        continue;
      }
      const { id, version } = placed.body as { id: number; version: number };
      if (observed.orders.has(id)) observed.broken.push(`order ${id} was given twice`);
      const record = { versions: [version], status: 'received', isUnknown: false };
      observed.orders.set(id, record);
      observed.acceptedAt.set(id, now());
      portions.ordered += 2;
      if (id % 5 === 0) {
        const again = await attempt('POST /orders', () => client.call('POST', '/orders', { headers, body }));
        if (again?.status === 201 && again.body.id !== id)
          observed.broken.push(`order ${id} was placed again as ${again.body.id}, with the same key`);
      }
      // Guests' orders are always delivered or cancelled, because a table may have only a limited number of open items.
      const moves = ['preparing', 'ready', 'delivered'].slice(0, client.table === undefined ? 3 : id % 4);
      const way = id % 4 === 0 ? ['cancelled'] : moves;
      for (const status of way) {
        const moved = await attempt('PUT /orders', () => manager('PUT', `/orders/${id}`, { body: { status } }));
        if (moved?.status === 200) {
          record.versions.push(moved.body.version);
          record.status = status;
          if (status === 'cancelled') portions.givenBack += 2;
          continue;
        }
        // Without a response, or with a 5xx, the change may or may not have been applied.
        if (moved && moved.status < 500)
          observed.broken.push(`moving order ${id} to ${status} was answered ${codeOf(moved)}`);
        record.isUnknown = true;
        if (status === 'cancelled') portions.unknown += 2;
        break;
      }
      await pause(restMs);
    }
  }

  /** Orders a dish that is usually sold out, again and again, and cancels every third order. */
  async function orderScarce(): Promise<void> {
    const { manager, scarce } = actors;
    const portions = observed.portionsOf(scarce.id);
    const body = { table: '13', items: [{ item_id: scarce.id, quantity: 1 }] };
    while (!stopped) {
      const headers = { 'idempotency-key': randomUUID() };
      const placed = await repeat('POST /orders', () => manager('POST', '/orders', { headers, body }));
      if (placed?.status === 201) {
        const { id, version } = placed.body as { id: number; version: number };
        const record = { versions: [version], status: 'received', isUnknown: false };
        observed.orders.set(id, record);
        portions.ordered += 1;
        const cancel = { body: { status: 'cancelled' } };
        const moved = id % 3 === 0 ? null : await attempt('PUT /orders', () => manager('PUT', `/orders/${id}`, cancel));
        if (moved?.status === 200) {
          record.versions.push(moved.body.version);
          record.status = 'cancelled';
          portions.givenBack += 1;
        } else if (id % 3 !== 0) {
          record.isUnknown = true;
          portions.unknown += 1;
        }
      } else if (!placed) {
        observed.unknownOrders += 1;
        portions.unknown += 1;
      } else if (codeOf(placed) !== '409 menu_item_unavailable')
        observed.broken.push(`an order was answered ${codeOf(placed)}`);
      await pause(restMs);
    }
  }

  async function transfer(index: number): Promise<void> {
    const from = actors.customers[index];
    const to = actors.customers[(index + 1) % actors.customers.length];
    if (!from || !to) return;
    for (let count = 0; !stopped; count++) {
      const amount = count % 10 === 9 ? tooMuch : '1.25';
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
          body: { from_account_id: from.account, to_account_id: to.account, amount },
        });
      const key = randomUUID();
      const response = await repeat('POST /accounts/internal-transfers', send(key));
      if (response?.status === 201) {
        const { id } = response.body as { id: number };
        if (amount === tooMuch) observed.broken.push(`transfer ${id} was posted without funds`);
        const same = await attempt('POST /accounts/internal-transfers', send(key));
        if (same?.status === 201 && same.body.id !== id)
          observed.broken.push(`transfer ${id} was made again as ${same.body.id}, with the same key`);
        // Tries to use the token again, as an attacker could if Redis had forgotten that the token was spent.
        const jti = jtiOf(token);
        if (count % 4 === 0) await actors.issuer.unspendStepUpToken({ userId: from.id, jti }).catch(() => undefined);
        if (observed.transfers.has(id)) observed.broken.push(`transfer ${id} was given to two calls`);
        observed.transfers.set(id, { from: from.account, to: to.account, minor: 125 });
        const again = await attempt('POST /accounts/internal-transfers', send(randomUUID()));
        observed.reusedTokens += 1;
        if (again && again.status < 400) observed.broken.push(`a spent token had a second effect: ${again.text}`);
      } else if (response && codeOf(response) === '401 step_up_invalid' && lastFault().startsWith('Redis')) {
        // After a failover, the new primary may not know the token, because it lacks the old primary's last writes
        // (docs/run/high-availability.md). No money has moved.
        observed.lostTokens += 1;
      } else if (
        response &&
        !['422 insufficient_funds', '401 step_up_expired', '401 step_up_used'].includes(codeOf(response))
      )
        observed.broken.push(`a transfer was answered ${codeOf(response)} after ${lastFault()}`);
      if (!response) observed.unknownTransfers += 1;
      await pause(restMs);
    }
  }

  /** Checks again and again that a blocked PIN stays blocked, whichever server fails. */
  async function tryBlocked(): Promise<void> {
    while (!stopped) {
      const response = await attempt('POST /security/step-up', () => tryPin(actors.blocked.call, pin));
      if (response && response.status < 400) observed.broken.push('a blocked PIN was accepted');
      await pause(300);
    }
  }

  const running = Promise.all([
    ...Array.from({ length: 4 }, () => orderAndMove({ call: actors.manager, table: '12' })),
    ...actors.guests.map(({ call }) => orderAndMove({ call })),
    orderScarce(),
    ...actors.customers.map((_, index) => transfer(index)),
    tryBlocked(),
    ...actors.payers.map((payer) => payBills(actors, payer, { ...options, ...attempts, isStopped: () => stopped })),
  ]);
  return {
    stop: async (): Promise<void> => {
      stopped = true;
      attempts.giveUpAfter(settlingMs);
      await running;
    },
  };
}

const jtiOf = (token: string): string => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).jti;
