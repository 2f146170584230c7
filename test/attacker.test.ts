import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { endpoints } from '@comanda/contracts/registry';
import type { ServiceName } from '@comanda/contracts/endpoint';
import type { StepUpTokenRequest, TestUser } from '@comanda/testing/auth-stepup-process';
import { settingsOfService } from '@comanda/local-stack/settings-of-service';
import { caller, codeOf, created, type Call, type Called } from '@comanda/testing/call';
import { newEmail, password, passwordHash } from '@comanda/testing/credentials';
import { findSecrets, textOfDatabases, textOfKeys } from '@comanda/testing/find-secrets';
import { isolatedServers, type IsolatedServers } from '@comanda/testing/isolated-servers';
import { recordEvents, type RecordedEvents } from '@comanda/testing/recorded-events';
import { startNewRestaurant, type NewRestaurant } from '@comanda/testing/new-restaurant';
import { startStack, type Stack } from '@comanda/testing/stack';
import { until } from '@comanda/testing/until';
import * as calls from '@comanda/testing/step-up-calls';
import { Redis } from 'ioredis';
import { Decimal128, MongoClient, type Db, type Document } from 'mongodb';

// Tests the table "What an attacker gets" in docs/security.md. Each title is the text of one of its cells.

let servers: IsolatedServers;
let stack: Stack;
let mongo: MongoClient;
let redis: Redis;
let events: RecordedEvents;
let marta: Call;
let martaId: number;
let dish: number;
let newRestaurant: NewRestaurant;
beforeAll(async () => {
  servers = await isolatedServers('attacker');
  newRestaurant = await startNewRestaurant('attacker-new');
  stack = await startStack(servers, { ...calls.withoutLimits, RATE_LIMIT_SIGN_IN_FAILURES: '2' });
  mongo = await new MongoClient(servers.mongodbUri).connect();
  redis = new Redis(servers.redisUrl);
  events = await recordEvents(servers.rabbitmqUrl);
  marta = caller(stack.gatewayUrl, { token: stack.managerToken });
  martaId = Number(claimsOf(stack.managerToken)['sub']);
  created(await calls.choosePin(marta));
  dish = created(await marta('POST', '/menu', { body: { name: 'Feijoada', price: '32.50' } })).id;
});
afterAll(async () => {
  await events?.close();
  redis?.disconnect();
  await mongo?.close();
  await stack?.close();
  await newRestaurant?.close();
});

type User = TestUser & { call: Call };
const withCall = (user: TestUser): User => ({ ...user, call: caller(stack.gatewayUrl, { token: user.token }) });
const customer = async (): Promise<User> => withCall(await stack.auth.customer());
const waiter = async (): Promise<User> => withCall(await stack.auth.waiter());
const manager = async (): Promise<User> => withCall(await stack.auth.manager());
const database = (service: string): Db => mongo.db(`${servers.database}_${service}`);
const users = () => database('auth').collection('usuarios');
const login = (email: string, secret = password): Promise<Called> =>
  stack.call('POST', '/auth/login', { body: { email, password: secret } });
const refresh = (token: string): Promise<Called> =>
  stack.call('POST', '/auth/refresh', { body: { refresh_token: token } });
/** Enters a wrong setup code in the new restaurant, as a client with this address. */
const guessSetupCode = (address: string): Promise<Called> =>
  newRestaurant.call('POST', '/setup/manager', {
    body: { code: '7K3M-9QXF-2B4N-8RTV-5WYA-C1DE-6GHJ', name: 'Eve', email: newEmail('eve'), password },
    headers: { 'x-forwarded-for': address },
  });
const order = (call: Call): Promise<Called> =>
  call('POST', '/orders', { body: { items: [{ item_id: dish, quantity: 1 }] } });
/** Waits for these responses and returns the status and problem code of each, such as `403 forbidden`. */
const codesOf = async (...responses: Promise<Called>[]): Promise<string[]> =>
  (await Promise.all(responses)).map(codeOf);

/** Returns headers with a step-up token, as if Marta had entered her PIN for this kind of call. */
const consent = async (endpointKey: string): Promise<Record<string, string>> => ({
  'x-step-up-token': await stack.auth.issueStepUpToken({ userId: martaId, endpointKey }),
});
const manage = async (method: 'POST' | 'PUT', path: string, body: object): Promise<Called> =>
  marta(method, path, { body, headers: await consent('user.manage') });
async function disabledManager(): Promise<User> {
  const bruno = await manager();
  expect((await manage('PUT', `/users/${bruno.id}`, { status: 'disabled' })).status).toBe(200);
  return bruno;
}
/** Creates a customer with 100.00 in an account, and another customer's account, to which the first can send money. */
async function payer(): Promise<User & { from: number; to: number }> {
  const [ana, eve] = [await customer(), await customer()];
  const [from, to] = [await calls.openAccount(ana.call), await calls.openAccount(eve.call)];
  const headers = await consent(calls.depositKey);
  created(await marta('POST', `/accounts/${from}/deposits`, { body: { amount: '100.00' }, headers }));
  return { ...ana, from, to };
}
const pay = (call: Call, { from, to }: { from: number; to: number }, stepUpToken?: string): Promise<Called> =>
  call('POST', '/accounts/internal-transfers', {
    body: { from_account_id: from, to_account_id: to, amount: '1.00' },
    ...(stepUpToken !== undefined && { headers: { 'x-step-up-token': stepUpToken } }),
  });
let lastTable = 0;
async function newTable(): Promise<{ table: string; token: string }> {
  const table = `T-${++lastTable}`;
  return { table, token: created(await marta('PUT', `/tables/${table}`)).table_token };
}
async function scan(token: string): Promise<{ call: Call; refreshToken: string }> {
  const { status, body } = await stack.call('POST', '/auth/guest', { body: { table_token: token } });
  expect(status).toBe(200);
  return { call: caller(stack.gatewayUrl, { token: body.access_token }), refreshToken: body.refresh_token };
}

const payInCash = (call: Call, billId: number, amount: string): Promise<Called> =>
  call('POST', `/bills/${billId}/payments`, {
    body: { method: 'cash', part: { rest: true }, expected_amount: amount },
  });
const giveDiscount = (call: Call, billId: number, percent: string): Promise<Called> =>
  call('POST', `/bills/${billId}/discounts`, { body: { percent, reason: 'x' } });

type Payer = Awaited<ReturnType<typeof payer>>;
type Payment = { id: number; billId: number };
/** Places an order for this customer and reserves the whole bill of 32.50. */
async function reserve({ call }: Pick<User, 'call'>): Promise<Payment> {
  const { bill_id: billId } = created(await order(call));
  const body = { method: 'account', part: { rest: true }, expected_amount: '32.50' };
  return { id: created(await call('POST', `/bills/${billId}/payments`, { body })).id, billId };
}
/** Makes a bill payment or a refund with a step-up token that `user` got for exactly this payment. */
async function moveFor(kind: 'bill_payment' | 'bill_refund', user: { id: number; call: Call }, what: object) {
  const body = { amount: '32.50', currency: 'BRL', ...what };
  const details = [{ type: kind, ...body }] as NonNullable<StepUpTokenRequest['details']>;
  const token = await stack.auth.issueStepUpToken({ userId: user.id, endpointKey: `${kind}.create`, details });
  const path = kind === 'bill_payment' ? '/accounts/bill-payments' : '/accounts/bill-refunds';
  return user.call('POST', path, { body, headers: { 'x-step-up-token': token } });
}
const payReserved = (user: Payer, { id }: Payment, from = user.from): Promise<Called> =>
  moveFor('bill_payment', user, { payment_id: id, from_account_id: from });
const giveBack = (user: { id: number; call: Call }, { id }: Payment): Promise<Called> =>
  moveFor('bill_refund', user, { payment_id: id });
/** Changes a payment in the database, as an attacker with control of the orders process could. */
const rewritePayment = ({ billId }: Payment, fields: Record<string, unknown>): Promise<unknown> =>
  database('orders').collection<Document & { _id: number }>('bills').updateOne({ _id: billId }, { $set: fields });
const balanceOf = async ({ call, from }: Payer): Promise<string> =>
  (await call('GET', `/accounts/${from}`)).body.balance;

async function registerTablet(): Promise<{ id: string; credential: string }> {
  const headers = await consent('tablet.register');
  const { tablet, tablet_credential } = created(await marta('POST', '/tablets', { body: { name: 'Pass' }, headers }));
  return { id: tablet.id, credential: tablet_credential };
}
async function waiterWithTabletPin(): Promise<User> {
  const walter = await waiter();
  await walter.call('PUT', '/auth/tablet-pin', { body: { password, tablet_pin: '7391' } });
  return walter;
}
const signInThere = (credential: string, { id }: { id: number }, pin: string): Promise<Called> =>
  stack.call('POST', '/auth/tablet/login', {
    body: { tablet_credential: credential, user_id: id, tablet_pin: pin },
  });
/** Signs a waiter in on a tablet. Returns the session on the tablet and the waiter's own session. */
async function onTablet(): Promise<[Call, User]> {
  const walter = await waiterWithTabletPin();
  const { body } = await signInThere((await registerTablet()).credential, walter, '7391');
  return [caller(stack.gatewayUrl, { token: body.access_token }), walter];
}

type Cells = Record<string, () => Promise<void>>;
const secretSettings = ['KEY_SEALING_SECRET', 'PIN_PEPPER'];
/** Returns the names of the service's settings that contain secrets for encrypting and hashing. */
const secretsOf = async (service: ServiceName): Promise<string[]> =>
  Object.values(await settingsOfService(service))
    .map(({ env }) => env)
    .filter((name) => secretSettings.includes(name));
/** Returns the contracts of all request bodies to this service as text, to search for field names. */
const fieldsSentTo = (service: ServiceName): string =>
  endpoints
    .filter((contract) => contract.service === service)
    .map(({ body }) => JSON.stringify(body?.describe() ?? {}))
    .join('\n');
const passwordFields = /"(password|transaction_password)":/;
const getsStepUpTokens = (service: ServiceName): boolean =>
  endpoints.some((contract) => contract.service === service && contract.stepUp !== undefined);

const attackers: Record<string, Cells> = {
  'a stolen access token': {
    'Signs the user out, also everywhere. No new token, no new password.': async () => {
      const ana = await customer();
      const change = { body: { current: 'not-the-password', password: 'carpete-lua-garfo' } };
      expect(codeOf(await ana.call('PUT', '/auth/password', change))).toBe('403 password_invalid');
      expect((await refresh(ana.token)).status).toBeGreaterThanOrEqual(400);
      expect((await ana.call('DELETE', '/auth/sessions')).status).toBe(204);
      expect(codeOf(await refresh(ana.refreshToken))).toBe('401 invalid_refresh_token');
    },
    "A manager's: changes dishes, prices and the pause, and the list of changes says whose it was.": async () => {
      const bruno = await manager();
      const { id } = created(await marta('POST', '/menu', { body: { name: 'Pudim', price: '12.00' } }));
      expect((await bruno.call('PUT', `/menu/${id}`, { body: { price: '0.01' } })).status).toBe(200);
      expect((await bruno.call('PUT', '/ordering', { body: {} })).status).toBe(200);
      const { body } = await marta('GET', `/menu-changes?item_id=${id}&limit=1`);
      expect(body).toMatchObject([{ actor: { id: bruno.id }, before: { price: '12.00' }, after: { price: '0.01' } }]);
    },
    'Reads, orders and cancels as the user, until it expires.': async () => {
      const ana = await customer();
      const { id } = created(await order(ana.call));
      expect((await ana.call('PUT', `/orders/${id}`, { body: { status: 'cancelled' } })).status).toBe(200);
    },
    'Two wrong PINs; the third blocks it.': async () => {
      const ana = await customer();
      created(await calls.choosePin(ana.call));
      const codes = [];
      for (let guess = 0; guess < 4; guess++) codes.push(codeOf(await calls.stepUp(ana.call, calls.wrongPin)));
      const [wrong, blocked] = ['403 transaction_password_invalid', '429 transaction_password_blocked'];
      expect(codes).toEqual([wrong, wrong, blocked, blocked]);
    },
    'A first PIN, if the user has none and signed in less than 15 minutes ago.': async () => {
      const ana = await customer();
      expect((await calls.choosePin(ana.call)).status).toBe(201);
    },
    'None of it, once the owner has signed out everywhere.': async () => {
      const ana = await payer();
      created(await calls.choosePin(ana.call));
      const token = await calls.tokenFor(ana.call, calls.transferKey);
      expect((await ana.call('DELETE', '/auth/sessions')).status).toBe(204);
      expect(codeOf(await calls.stepUp(ana.call))).toBe('401 invalid_token');
      expect(codeOf(await pay(ana.call, ana, token))).toBe('401 invalid_token');
    },
    'Reads balances. Moves nothing.': async () => {
      const ana = await payer();
      expect((await ana.call('GET', `/accounts/${ana.from}`)).body.balance).toBe('100.00');
      expect(codeOf(await pay(ana.call, ana))).toBe('401 step_up_required');
    },
    "A waiter's: records a bill as paid in cash, and gives discounts as far as waiters may.": async () => {
      const walter = await waiter();
      const { bill_id: billId } = created(await order((await customer()).call));
      const discount = (percent: string): Promise<Called> => giveDiscount(walter.call, billId, percent);
      expect((await marta('PUT', '/restaurant', { body: { waiter_discount_limit: '10.00' } })).status).toBe(200);
      expect(await codesOf(discount('11.00'), discount('10.00'))).toEqual(['403 forbidden', '201']);
      created(await payInCash(walter.call, billId, '29.25'));
    },
    "A manager's: gives a whole bill as a discount, gives cash payments back, and changes the service charge.":
      async () => {
        const bruno = await manager();
        const { bill_id: billId } = created(await order((await customer()).call));
        const { id } = created(await payInCash(bruno.call, billId, '32.50'));
        const path = `/bills/${billId}/payments/${id}/refund`;
        expect((await bruno.call('POST', path, { body: { reason: 'x' } })).status).toBeLessThan(300);
        const { bill_id: other } = created(await order((await customer()).call));
        created(await giveDiscount(bruno.call, other, '100.00'));
        const { service_charge } = (await bruno.call('GET', '/restaurant')).body;
        expect((await bruno.call('PUT', '/restaurant', { body: { service_charge } })).status).toBe(200);
      },
    "A manager's: reads users and the audit trail, changes codes of tables. Adds and changes no user.": async () => {
      const bruno = await manager();
      const { id } = await customer();
      const { table } = await newTable();
      expect(
        await codesOf(
          bruno.call('GET', '/users'),
          bruno.call('GET', '/audit'),
          bruno.call('PUT', `/tables/${table}`),
          bruno.call('PUT', `/users/${id}`, { body: { role: 'manager' } }),
          bruno.call('POST', '/users', { body: { name: 'Eve', email: newEmail('eve'), password, role: 'manager' } }),
        ),
      ).toEqual(['200', '200', '200', '401 step_up_required', '401 step_up_required']);
    },
    'Removes tables and shared tablets, and withdraws invitations.': async () => {
      const bruno = await manager();
      const { table } = await newTable();
      const { id: tabletId } = await registerTablet();
      const invitation = { name: 'Rui', email: newEmail('rui'), role: 'waiter' };
      const { user } = created(await manage('POST', '/invitations', invitation));
      expect(
        await codesOf(
          bruno.call('DELETE', `/tables/${table}`),
          bruno.call('DELETE', `/tablets/${tabletId}`),
          bruno.call('DELETE', `/invitations/${user.id}`),
        ),
      ).toEqual(['204', '204', '204']);
    },
  },
  'a stolen refresh token': {
    'Access tokens, until the owner uses their own: then the session ends for both.': async () => {
      const ana = await customer();
      const first = (await refresh(ana.refreshToken)).body.refresh_token;
      const second = (await refresh(first)).body.refresh_token;
      expect(await codesOf(refresh(ana.refreshToken))).toEqual(['401 invalid_refresh_token']);
      expect(codeOf(await refresh(second))).toBe('401 invalid_refresh_token');
    },
    'As with an access token.': async () => {
      const ana = await customer();
      const { access_token: token } = (await refresh(ana.refreshToken)).body;
      expect((await order(caller(stack.gatewayUrl, { token }))).status).toBe(201);
      expect(claimsOf(token)).toMatchObject({ sub: String(ana.id), role: 'customer' });
    },
    'As with an access token, but no first PIN later than 15 minutes after the sign-in.': async () => {
      const ana = await customer();
      const { access_token: token } = (await refresh(ana.refreshToken)).body;
      expect(claimsOf(token)['auth_time']).toBe(claimsOf(ana.token)['auth_time']);
    },
  },
  'a disabled manager': {
    'No new token.': async () => {
      const bruno = await disabledManager();
      expect(await codesOf(refresh(bruno.refreshToken), login(bruno.email))).toEqual([
        '401 invalid_refresh_token',
        '401 invalid_credentials',
      ]);
    },
    'As before, until the access token expires.': async () => {
      const bruno = await disabledManager();
      expect(await codesOf(bruno.call('GET', '/orders'), order(bruno.call))).toEqual(['200', '201']);
    },
    'No step-up token, and those from before are void.': async () => {
      const bruno = await manager();
      created(await calls.choosePin(bruno.call));
      const headers = { 'x-step-up-token': await calls.tokenFor(bruno.call, 'user.manage') };
      expect((await manage('PUT', `/users/${bruno.id}`, { status: 'disabled' })).status).toBe(200);
      expect(codeOf(await calls.stepUp(bruno.call))).toBe('401 invalid_token');
      const body = { role: 'manager' };
      const { id } = await customer();
      expect(codeOf(await bruno.call('PUT', `/users/${id}`, { body, headers }))).toBe('401 invalid_token');
    },
    'Reads accounts until the access token expires. Moves nothing.': async () => {
      const [ana, bruno] = [await payer(), await disabledManager()];
      expect((await bruno.call('GET', `/accounts/${ana.from}`)).status).toBe(200);
      const deposit = bruno.call('POST', `/accounts/${ana.to}/deposits`, { body: { amount: '1.00' } });
      expect(codeOf(await deposit)).toBe('401 step_up_required');
    },
    'Reads users and the audit trail until the access token expires. Changes no user and no table.': async () => {
      const [bruno, { table }] = [await disabledManager(), await newTable()];
      expect(
        await codesOf(
          bruno.call('GET', '/users'),
          bruno.call('GET', '/audit'),
          bruno.call('PUT', `/tables/${table}`),
          bruno.call('DELETE', `/tables/${table}`),
        ),
      ).toEqual(['200', '200', '401 invalid_token', '401 invalid_token']);
    },
  },
  'a waiter': {
    'Only their own.': async () => {
      const [walter, ana] = [await waiter(), await customer()];
      expect(codeOf(await walter.call('GET', `/users/${ana.id}`))).toBe('403 forbidden');
    },
    'All orders and calls; opens, closes, moves, joins and cleans tables and reads their codes. Changes no code and no dish.':
      async () => {
        const [walter, ana, { table, token }] = [await waiter(), await customer(), await newTable()];
        const { id } = created(await order(ana.call));
        const { body: tables } = await walter.call('GET', '/tables');
        expect(tables).toContainEqual(expect.objectContaining({ table, table_token: token }));
        expect(
          await codesOf(
            walter.call('PUT', `/orders/${id}`, { body: { status: 'preparing' } }),
            walter.call('POST', `/tables/${table}/open`),
            walter.call('POST', `/tables/${table}/close`),
            walter.call('PUT', `/tables/${table}`),
            walter.call('PUT', `/menu/${dish}`, { body: { price: '1.00' } }),
          ),
        ).toEqual(['200', '200', '204', '403 forbidden', '403 forbidden']);
        const [guest, to] = [await scan(token), await newTable()];
        const { id: asked } = created(await guest.call('POST', '/calls', { body: { kind: 'bill' } }));
        for (const [method, path, body] of [
          ['PUT', `/calls/${asked}`, { status: 'taken' }],
          ['POST', `/tables/${table}/move`, { to: to.table }],
          ['POST', `/tables/${table}/join`, { to: to.table }],
        ] as const)
          expect([path, codeOf(await walter.call(method, path, { body }))]).toEqual([path, '200']);
        await walter.call('POST', `/tables/${table}/close`);
        expect(codeOf(await walter.call('POST', `/tables/${table}/clean`))).toBe('200');
      },
    'Only their own. Approves no reset.': async () => {
      const [walter, ana] = [await waiter(), await customer()];
      created(await calls.choosePin(walter.call));
      expect(codeOf(await calls.stepUp(walter.call, calls.pin, calls.resetKey))).toBe('403 forbidden');
      const path = `/users/${ana.id}/transaction-password-resets`;
      expect(codeOf(await walter.call('POST', path))).toBe('403 forbidden');
    },
    'Only their own accounts. No deposit.': async () => {
      const [walter, ana] = [await waiter(), await payer()];
      const deposit = { body: { amount: '1.00' } };
      expect(
        await codesOf(
          walter.call('GET', `/accounts/${ana.from}`),
          walter.call('POST', `/accounts/${ana.to}/deposits`, deposit),
          pay(walter.call, ana),
        ),
      ).toEqual(['404 not_found', '403 forbidden', '404 account_not_found']);
    },
    'Pays no bill from an account, and gives nothing back to one.': async () => {
      const [walter, ana] = [await waiter(), await payer()];
      const payment = await reserve(ana);
      const account = await calls.openAccount(walter.call);
      const paying = moveFor('bill_payment', walter, { payment_id: payment.id, from_account_id: account });
      expect(codeOf(await paying)).toBe('404 not_found');
      created(await payReserved(ana, payment));
      const byHand = walter.call('POST', `/bills/${payment.billId}/payments/${payment.id}/refund`, {
        body: { reason: 'Twice' },
      });
      expect(await codesOf(giveBack(walter, payment), byHand)).toEqual(['403 forbidden', '409 refund_by_transfer']);
      expect(await balanceOf(ana)).toBe('67.50');
    },
    'Nothing.': async () => {
      const walter = await waiter();
      expect(
        await codesOf(
          walter.call('GET', '/users'),
          walter.call('GET', '/audit'),
          walter.call('POST', '/users', { body: { name: 'Eve', email: newEmail('eve'), password, role: 'manager' } }),
        ),
      ).toEqual(['403 forbidden', '403 forbidden', '403 forbidden']);
    },
  },
  'a registered tablet': {
    'The names of its waiters, until a manager removes it.': async () => {
      const { id, credential } = await registerTablet();
      const walter = await waiterWithTabletPin();
      const read = () => stack.call('POST', '/auth/tablet', { body: { tablet_credential: credential } });
      expect((await read()).body.people).toContainEqual({ id: walter.id, name: 'Walter' });
      expect((await marta('DELETE', `/tablets/${id}`)).status).toBe(204);
      expect(codeOf(await read())).toBe('401 tablet_invalid');
    },
    'Twenty guesses at a tablet PIN in a row, five in 15 minutes.': async () => {
      const { credential } = await registerTablet();
      const walter = await waiterWithTabletPin();
      const codes = [];
      for (let guess = 0; guess < 6; guess++) codes.push(codeOf(await signInThere(credential, walter, '4827')));
      const [wrong, blocked] = ['403 tablet_pin_invalid', '429 tablet_pin_blocked'];
      expect(codes).toEqual([wrong, wrong, wrong, wrong, blocked, blocked]);
      const [key = ''] = await redis.keys(`${servers.redisPrefix}tablet-attempts:*:${walter.id}:*`);
      await redis.hset(key, { wrong: 4, failures: 19, until: 0 });
      const last = await signInThere(credential, walter, '4827');
      expect([codeOf(last), last.body.blocked_until]).toEqual([blocked, null]);
    },
    'Nothing, without a tablet PIN. With one, as that waiter, for 12 hours at most.': async () => {
      const { credential } = await registerTablet();
      const walter = await waiterWithTabletPin();
      const withCredential = caller(stack.gatewayUrl, { token: credential });
      expect(codeOf(await withCredential('GET', '/tables'))).toBe('401 invalid_token');
      const session = await signInThere(credential, walter, '7391');
      const call = caller(stack.gatewayUrl, { token: session.body.access_token });
      const { id } = created(await order((await customer()).call));
      const { body } = await call('PUT', `/orders/${id}`, { body: { status: 'preparing' } });
      expect(body.status).toBe('preparing');
      const stored = await database('auth')
        .collection('sessions')
        .findOne({ user_id: walter.id, tablet: { $exists: true } });
      expect(stored?.['ends_at'].getTime() - stored?.['auth_time'].getTime()).toBe(12 * 3600_000);
    },
    'Nothing: a session of a tablet enters no PIN.': async () => {
      const [call] = await onTablet();
      expect(
        await codesOf(
          calls.stepUp(call),
          calls.choosePin(call),
          call('PUT', '/auth/password', { body: { current: password, password: 'carpete-lua-garfo' } }),
        ),
      ).toEqual(Array(3).fill('401 reauthentication_required'));
    },
    'Nothing: a session of a tablet reads no account.': async () => {
      const [call, walter] = await onTablet();
      const account = await calls.openAccount(walter.call);
      expect(
        await codesOf(
          call('GET', '/accounts'),
          call('GET', `/accounts/${account}`),
          call('POST', '/accounts', { body: {} }),
        ),
      ).toEqual(Array(3).fill('401 reauthentication_required'));
    },
    'Adds no tablet.': async () => {
      const [call] = await onTablet();
      expect(codeOf(await call('POST', '/tablets', { body: { name: 'Another' } }))).toBe('403 forbidden');
    },
  },
  'a new user': {
    'A session of their own.': async () => {
      const body = { name: 'Eve', email: newEmail('eve'), password, role: 'manager' };
      expect(codeOf(await stack.call('POST', '/auth/register', { body }))).toBe('400 validation_failed');
      expect(claimsOf((await customer()).token)['role']).toBe('customer');
    },
    'Orders for any table without being there, and reads and cancels these orders only.': async () => {
      const [eve, ana] = [await customer(), await customer()];
      const { id: others } = created(await order(ana.call));
      const body = { table: '12', items: [{ item_id: dish, quantity: 1 }] };
      const { id } = created(await eve.call('POST', '/orders', { body }));
      expect(
        await codesOf(
          eve.call('GET', `/orders/${others}`),
          eve.call('PUT', `/orders/${others}`, { body: { status: 'cancelled' } }),
          eve.call('PUT', `/orders/${id}/table`, { body: { table: '13' } }),
          eve.call('PUT', `/orders/${id}`, { body: { status: 'cancelled' } }),
        ),
      ).toEqual(['404 not_found', '404 not_found', '403 forbidden', '200']);
    },
    'A PIN of their own.': async () => {
      const eve = await customer();
      expect((await calls.choosePin(eve.call)).status).toBe(201);
      const approval = eve.call('POST', `/users/${martaId}/transaction-password-resets`);
      expect(codeOf(await approval)).toBe('403 forbidden');
    },
    'Accounts of their own.': async () => {
      const [eve, ana] = [await customer(), await payer()];
      const own = await calls.openAccount(eve.call);
      expect(codeOf(await eve.call('GET', `/accounts/${ana.from}`))).toBe('404 not_found');
      expect((await eve.call('GET', `/accounts/${own}`)).body.balance).toBe('0.00');
    },
    'Nobody and no key.': async () => {
      const { call } = await customer();
      expect(await codesOf(call('GET', '/users'), call('GET', '/audit'), call('PUT', '/tables/X'))).toEqual([
        '403 forbidden',
        '403 forbidden',
        '403 forbidden',
      ]);
    },
  },
  'a stranger before the first manager': {
    'Ten guesses a minute at the setup code, which has 140 random bits, and a hundred from all addresses.':
      async () => {
        expect(await newRestaurant.createSetupCode()).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-?){7}$/);
        const codes = [];
        for (let guess = 0; guess < 11; guess++) codes.push(codeOf(await guessSetupCode('203.0.113.1')));
        expect(codes).toEqual([...Array<string>(10).fill('401 setup_code_invalid'), '429 rate_limited']);
      },
    'As a new user. Adds no table.': async () => {
      const eve = newRestaurant.as(await newRestaurant.customer());
      expect(await codesOf(newRestaurant.call('PUT', '/tables/1'), eve('PUT', '/tables/1'))).toEqual([
        '401 authentication_required',
        '403 forbidden',
      ]);
    },
    'A PIN of their own, after they register.': async () => {
      const eve = newRestaurant.as(await newRestaurant.customer());
      expect((await calls.choosePin(eve)).status).toBe(201);
    },
    'Accounts of their own without money: only a manager deposits.': async () => {
      const eve = await customer();
      const deposit = { body: { amount: '100.00' } };
      const own = await calls.openAccount(eve.call);
      expect(codeOf(await eve.call('POST', `/accounts/${own}/deposits`, deposit))).toBe('403 forbidden');
    },
    'Sees that there is no manager, and becomes none without the code.': async () => {
      expect(codeOf(await guessSetupCode('203.0.113.2'))).toBe('401 setup_code_invalid');
      expect((await newRestaurant.call('GET', '/setup')).body).toEqual({ needs_first_manager: true });
    },
  },
  'a guest with a photographed code': {
    "A guest's session, until the table is closed or its code is changed, 12 hours at most.": async () => {
      const { table, token } = await newTable();
      const guest = await scan(token);
      expect((await marta('PUT', `/tables/${table}`)).status).toBe(200);
      expect(codeOf(await refresh(guest.refreshToken))).toBe('401 invalid_refresh_token');
      const again = stack.call('POST', '/auth/guest', { body: { table_token: token } });
      expect(codeOf(await again)).toBe('401 table_token_invalid');
    },
    'Orders at that table until it is closed; reads the orders of its seating, up to 5 minutes longer.': async () => {
      const [{ table, token }, other] = [await newTable(), await customer()];
      const [guest, attacker] = [await scan(token), await scan(token)];
      const { id } = created(await order(guest.call));
      const { id: others } = created(await order(other.call));
      created(await order(attacker.call));
      expect((await marta('POST', `/tables/${table}/close`)).status).toBe(204);
      expect(
        await codesOf(
          attacker.call('GET', `/orders/${id}`),
          order(attacker.call),
          attacker.call('GET', `/orders/${others}`),
          attacker.call('PUT', `/orders/${id}`, { body: { status: 'cancelled' } }),
        ),
      ).toEqual(['200', '409 seating_closed', '404 not_found', '403 forbidden']);
    },
    'Nothing: guests have no PIN.': async () => {
      const { call } = await scan((await newTable()).token);
      expect(await codesOf(calls.choosePin(call), calls.stepUp(call))).toEqual([
        '403 account_required',
        '403 account_required',
      ]);
    },
    'Nothing: guests have no account.': async () => {
      const { call } = await scan((await newTable()).token);
      expect(await codesOf(call('GET', '/accounts'), call('POST', '/accounts', { body: {} }))).toEqual([
        '403 account_required',
        '403 account_required',
      ]);
    },
    'Nothing of others.': async () => {
      const { call } = await scan((await newTable()).token);
      expect(await codesOf(call('GET', '/users'), call('GET', '/tables'), call('GET', '/audit'))).toEqual(
        Array(3).fill('403 forbidden'),
      );
    },
  },
  'a guest at the next table': {
    "A guest's session at their own table.": async () => {
      const guest = await scan((await newTable()).token);
      const { body } = await refresh(guest.refreshToken);
      expect(claimsOf(body.access_token)).toMatchObject({ guest: true, role: 'customer' });
    },
    'Orders and calls for their own table. Reads no order, bill or call of the next one, takes none back, and moves nobody.':
      async () => {
        const [here, there] = [await newTable(), await newTable()];
        const [ana, eve] = [await scan(here.token), await scan(there.token)];
        const placed = created(await order(ana.call));
        const { id: asked } = created(await ana.call('POST', '/calls', { body: { kind: 'bill' } }));
        const items = [{ item_id: dish, quantity: 1 }];
        expect(
          await codesOf(
            eve.call('GET', `/orders/${placed.id}`),
            eve.call('GET', `/bills/${placed.bill_id}`),
            eve.call('PUT', `/calls/${asked}`, { body: { status: 'cancelled' } }),
            eve.call('POST', '/orders', { body: { table: here.table, items } }),
            eve.call('POST', '/calls', { body: { kind: 'bill', table: here.table } }),
            eve.call('POST', '/calls', { body: { kind: 'bill', seating: placed.seating } }),
            eve.call('POST', `/tables/${here.table}/move`, { body: { to: there.table } }),
            eve.call('POST', `/tables/${here.table}/join`, { body: { to: there.table } }),
          ),
        ).toEqual([
          ...Array(3).fill('404 not_found'),
          ...Array(2).fill('403 table_mismatch'),
          ...Array(3).fill('403 forbidden'),
        ]);
        expect((await eve.call('GET', '/calls')).body).toEqual([]);
      },
    'Nothing: a guest at another table has no PIN.': async () => {
      const { call } = await scan((await newTable()).token);
      expect(codeOf(await calls.choosePin(call))).toBe('403 account_required');
    },
    'Nothing. With an account, they pay no part of the bill of the next table.': async () => {
      const [here, there] = [await newTable(), await newTable()];
      const { bill_id: bill } = created(await order((await scan(here.token)).call));
      const eve = await customer();
      const seat = { refresh_token: eve.refreshToken, table_token: there.token };
      const { body } = await stack.call('POST', '/auth/seat', { body: seat });
      const seated = caller(stack.gatewayUrl, { token: body.access_token });
      const part = { method: 'account', part: { rest: true }, expected_amount: '32.50' };
      expect(codeOf(await seated('POST', `/bills/${bill}/payments`, { body: part }))).toBe('404 not_found');
    },
    'Pays no payment of another, and from no account but their own.': async () => {
      const [ana, eve] = [await payer(), await payer()];
      const [hers, own] = [await reserve(ana), await reserve(eve)];
      const cancel = `/bills/${hers.billId}/payments/${hers.id}/cancel`;
      const less = { payment_id: own.id, from_account_id: eve.from, amount: '0.01' };
      expect(
        await codesOf(
          payReserved(eve, hers),
          eve.call('POST', cancel, { body: {} }),
          payReserved(eve, own, ana.from),
          moveFor('bill_payment', eve, less),
        ),
      ).toEqual(['404 not_found', '404 not_found', '404 account_not_found', '422 amount_mismatch']);
      expect([await balanceOf(ana), await balanceOf(eve)]).toEqual(['100.00', '100.00']);
      created(await payReserved(ana, hers));
    },
    'Nobody at any table.': async () => {
      const { call } = await scan((await newTable()).token);
      expect(await codesOf(call('GET', '/users'), call('GET', '/tables'))).toEqual(Array(2).fill('403 forbidden'));
    },
  },
  'control of Redis': {
    'No token. Guesses a password a hundred times, and no more.': async () => {
      const ana = await customer();
      const codes = [];
      for (let guess = 0; guess < 3; guess++) codes.push(codeOf(await login(ana.email, 'not-the-password')));
      expect(codes).toEqual([...Array<string>(2).fill('401 invalid_credentials'), '429 rate_limited']);
      await redis.del(await redis.keys(`${servers.redisPrefix}limit:sign-in-failures:*`));
      expect(codeOf(await login(ana.email, 'not-the-password'))).toBe('401 invalid_credentials');
      const stored = async () => (await users().findOne({ usuarioID: ana.id }))?.['wrong_passwords'];
      // A response is sent before the wrong password is counted in the database.
      await until(async () => (await stored()) === 3, { what: 'the wrong passwords to be stored' });
      await users().updateOne({ usuarioID: ana.id }, { $set: { wrong_passwords: 100 } });
      await redis.del(await redis.keys(`${servers.redisPrefix}limit:sign-in-failures:*`));
      expect(codeOf(await login(ana.email))).toBe('403 password_blocked');
      expect(findSecrets({ redis: await textOfKeys(redis, servers.redisPrefix) }, tokensOf(ana))).toEqual([]);
    },
    'Nothing: no order is in Redis.': async () => {
      created(await order((await customer()).call));
      const keys = await redis.keys(`${servers.redisPrefix}*`);
      const documented = /^(attempts|tablet-attempts|min-pin-version|jti|limit|rate)\b/;
      expect(keys.map((key) => key.slice(servers.redisPrefix.length)).filter((key) => !documented.test(key))).toEqual(
        [],
      );
    },
    'Six guesses at a PIN in 30 minutes, and those that run at the same moment.': async () => {
      const ana = await customer();
      created(await calls.choosePin(ana.call));
      const codes = [];
      for (let guess = 0; guess < 7; guess++) {
        const response = calls.stepUp(ana.call, calls.wrongPin).then(codeOf);
        let isAnswered = false;
        void response.then(() => (isAnswered = true));
        // While the attempt's key is deleted again and again, only MongoDB can count the attempt.
        while (!isAnswered) await redis.del(`${servers.redisPrefix}attempts:{${ana.id}}`);
        codes.push(await response);
      }
      const blocked = '429 transaction_password_blocked';
      expect(codes.slice(5)).toEqual([blocked, blocked]);
    },
    'Makes a spent token unspent for the rest of its 120 seconds: nothing moves twice.': async () => {
      const ana = await payer();
      const token = await stack.auth.issueStepUpToken({ userId: ana.id, endpointKey: calls.transferKey });
      created(await pay(ana.call, ana, token));
      await stack.auth.unspendStepUpToken({ userId: ana.id, jti: String(claimsOf(token)['jti']) });
      expect(codeOf(await pay(ana.call, ana, token))).toBe('401 step_up_used');
    },
    'No name, no address, no key.': async () => {
      const ana = await customer();
      await login(ana.email);
      const text = await textOfKeys(redis, servers.redisPrefix);
      expect(text).not.toContain(ana.email);
      expect(text).not.toContain('PRIVATE KEY');
    },
  },
  'a copy of MongoDB': {
    'Hashes of passwords and of refresh tokens. No token.': async () => {
      const ana = await customer();
      const text = await textOfDatabases([database('auth')]);
      expect(text).toContain(passwordHash);
      expect(findSecrets({ auth: text }, tokensOf(ana))).toEqual([]);
      expect(text).not.toContain(ana.refreshToken);
    },
    'All orders. No code of a table.': async () => {
      const [ana, { token }] = [await customer(), await newTable()];
      const { id } = created(await order(ana.call));
      const text = await textOfDatabases([database('orders'), database('auth')]);
      expect(await database('orders').collection('pedidos').findOne({ _id: id })).not.toBeNull();
      expect(text).not.toContain(token.split('.')[1]);
    },
    'Hashes of PINs, which cannot be tried out without the pepper.': async () => {
      const ana = await customer();
      created(await calls.choosePin(ana.call));
      const stored = await users().findOne({ usuarioID: ana.id });
      expect(stored?.['pin']).toMatchObject({ hash: expect.stringMatching(/^\$2b\$/), pepper_id: 'local' });
      const text = await textOfDatabases([database('auth')]);
      expect(findSecrets({ auth: text }, { pins: [calls.pin], tokens: [] })).toEqual([]);
    },
    'All balances and transfers. Moves nothing.': async () => {
      const ana = await payer();
      const stored = await database('transfers')
        .collection('accounts')
        .findOne({ _id: ana.from as never });
      expect(stored).not.toBeNull();
    },
    'Names, e-mail addresses, network addresses. No key.': async () => {
      const ana = await customer();
      const text = await textOfDatabases([database('auth'), database('transfers')]);
      expect(text).toContain(ana.email);
      const keys = await database('auth').collection('keys').find().toArray();
      expect(keys.length).toBeGreaterThan(0);
      for (const key of keys) expect(key['sealed_private_key']).toMatch(/^local:/);
      expect(text).not.toContain('PRIVATE KEY');
    },
  },
  'write access to MongoDB': {
    'Signs in as anybody.': async () => {
      const [ana, eve] = [await customer(), await customer()];
      await database('auth')
        .collection('sessions')
        .updateOne({ user_id: eve.id }, { $set: { user_id: ana.id } });
      expect(claimsOf((await refresh(eve.refreshToken)).body.access_token)['sub']).toBe(String(ana.id));
    },
    'Changes everything.': async () => {
      const ana = await customer();
      const { id } = created(await order(ana.call));
      await database('orders').collection('pedidos').deleteMany({});
      expect(codeOf(await ana.call('GET', `/orders/${id}`))).toBe('404 not_found');
    },
    'Removes a PIN and chooses another.': async () => {
      const ana = await customer();
      created(await calls.choosePin(ana.call));
      expect(codeOf(await calls.choosePin(ana.call, calls.otherPin))).toBe('409 transaction_password_exists');
      await users().updateOne({ usuarioID: ana.id }, { $set: { pin: null } });
      expect((await calls.choosePin(ana.call, calls.otherPin)).status).toBe(201);
    },
    'Moves it as anybody. Changes balances: `npm run verify-ledger` finds it.': async () => {
      const ana = await payer();
      await database('transfers')
        .collection('accounts')
        .updateOne({ _id: ana.to as never }, { $set: { owner_id: ana.id } });
      const run = stack.runServiceCommand('transfers', 'src/verify-ledger.ts', { args: [], env: {} });
      await expect(run).rejects.toMatchObject({ stdout: expect.stringContaining(String(ana.to)) });
    },
    'Makes anybody a manager, deletes the audit trail. Adds no key.': async () => {
      const eve = await customer();
      await users().updateOne({ usuarioID: eve.id }, { $set: { papel: 'manager' } });
      const { access_token: token } = (await refresh(eve.refreshToken)).body;
      const asManager = caller(stack.gatewayUrl, { token });
      expect((await asManager('GET', '/users')).status).toBe(200);
      await database('auth').collection('audit').deleteMany({});
      expect((await asManager('GET', '/audit')).body).toEqual([]);
    },
  },
  "control of the gateway's process": {
    'Every password and token that passes.': async () => {
      const sent = endpoints.filter(({ body }) => passwordFields.test(JSON.stringify(body?.describe() ?? {})));
      expect(sent.map(({ path }) => path)).toEqual(expect.arrayContaining(['/auth/login', '/auth/password', '/users']));
      expect(sent.filter(({ path }) => path.startsWith('/internal/'))).toEqual([]);
    },
    'Every order that passes; places and changes orders as whoever calls.': async () => {
      // The services need only the access token, which passes through the gateway.
      const ana = await customer();
      expect((await order(caller(stack.services.orders.url, { token: ana.token }))).status).toBe(201);
    },
    'Every PIN that passes, and uses the consent for other requests.': async () =>
      expect(fieldsSentTo('auth-stepup')).toContain('"transaction_password":'),
    'Moves that of everybody who enters a PIN meanwhile.': async () => {
      // The access token and the PIN both pass through the gateway, which is enough to get a step-up token.
      const ana = await payer();
      created(await calls.choosePin(ana.call));
      const asAna = caller(stack.services['auth-stepup'].url, { token: ana.token });
      const token = await calls.tokenFor(asAna);
      expect((await pay(caller(stack.services.transfers.url, { token: ana.token }), ana, token)).status).toBe(201);
    },
    'What a manager may do, while one enters a PIN. No key and no pepper.': async () =>
      expect(await secretsOf('gateway')).toEqual([]),
  },
  "control of auth-stepup's process": {
    'Signs in as anybody.': async () => expect(await secretsOf('auth-stepup')).toContain('KEY_SEALING_SECRET'),
    'As anybody.': async () => {
      const { privateKey } = await stack.auth.signingKey();
      expect(privateKey.type).toBe('private');
    },
    'Every PIN that is entered, and can try out all others.': async () =>
      expect(await secretsOf('auth-stepup')).toContain('PIN_PEPPER'),
    'Moves it as anybody. Signs no receipt: that key has another secret.': async () => {
      const compose = readFileSync(new URL('../docker-compose.yml', import.meta.url), 'utf8');
      const secretIn = (service: string): string =>
        new RegExp(String.raw`\n  ${service}:\n[\s\S]*?KEY_SEALING_SECRET: (\S+)`).exec(compose)?.[1] ?? '';
      expect(secretIn('auth-stepup')).not.toBe('');
      expect(secretIn('transfers')).not.toBe(secretIn('auth-stepup'));
    },
    'All: the keys of tokens, the pepper, the codes of tables.': async () =>
      expect((await secretsOf('auth-stepup')).toSorted()).toEqual(secretSettings),
  },
  "control of orders' process": {
    "Its callers' access tokens, which are valid at every service. No password.": async () => {
      const ana = await customer();
      expect((await caller(stack.services.transfers.url, { token: ana.token })('GET', '/accounts')).status).toBe(200);
      expect(fieldsSentTo('orders')).not.toMatch(passwordFields);
    },
    'All orders and dishes.': async () => {
      const { id } = created(await order((await customer()).call));
      expect(await database('orders').collection('pedidos').findOne({ _id: id })).not.toBeNull();
    },
    'No PIN. With `MENU_STEP_UP=on` step-up tokens for dishes, which are valid for nothing else.': async () => {
      expect(fieldsSentTo('orders')).not.toContain('transaction_password');
      const keys = endpoints.flatMap(({ service, stepUp }) => (service === 'orders' && stepUp ? [stepUp.key] : []));
      expect(new Set(keys)).toEqual(new Set(['menu.manage']));
      const bruno = await manager();
      const details = [{ type: 'menu_management', item_id: dish, price: '0.01' }];
      const token = await stack.auth.issueStepUpToken({ userId: bruno.id, endpointKey: 'menu.manage', details });
      const { from } = await payer();
      const sent = { body: { amount: '1.00' }, headers: { 'x-step-up-token': token } };
      expect(codeOf(await bruno.call('POST', `/accounts/${from}/deposits`, sent))).toBe('401 step_up_wrong_endpoint');
    },
    'Reads what its callers may read. Moves nothing.': async () => {
      const ana = await payer();
      expect(codeOf(await pay(ana.call, ana))).toBe('401 step_up_required');
    },
    'Shows a bill as paid, or as open: the ledger has no transfer for it, and gives nothing back for it.': async () => {
      const [ana, bruno] = [await payer(), await manager()];
      const payment = await reserve(ana);
      await rewritePayment(payment, { 'payments.0.status': 'paid', 'payments.0.transfer_id': 1 });
      expect((await ana.call('GET', `/bills/${payment.billId}`)).body).toMatchObject({ paid: '32.50' });
      expect(codeOf(await giveBack(bruno, payment))).toBe('404 not_found');
      expect(await balanceOf(ana)).toBe('100.00');
      const posted = await database('transfers').collection('transfers').countDocuments({ payment_id: payment.id });
      const kids = await database('transfers').collection('keys').distinct('_id');
      expect(posted).toBe(0);
      expect(kids.length).toBeGreaterThan(0);
      expect(await database('orders').collection('keys').countDocuments()).toBe(0);
    },
    'Changes no sum that somebody has entered a PIN for.': async () => {
      const ana = await payer();
      const payment = await reserve(ana);
      await rewritePayment(payment, { 'payments.0.amount': Decimal128.fromString('99.00') });
      expect(codeOf(await payReserved(ana, payment))).toBe('422 amount_mismatch');
      expect(await balanceOf(ana)).toBe('100.00');
    },
    'What a manager may read, while one calls. No key and no pepper.': async () =>
      expect(await secretsOf('orders')).toEqual([]),
  },
  "control of transfers' process": {
    "Its callers' access tokens, which are valid at each service. No password.": async () => {
      const ana = await customer();
      expect((await caller(stack.services.orders.url, { token: ana.token })('GET', '/orders')).status).toBe(200);
      expect(fieldsSentTo('transfers')).not.toMatch(passwordFields);
    },
    'What its callers may do.': async () =>
      expect((await order(caller(stack.services.orders.url, { token: (await customer()).token }))).status).toBe(201),
    'No PIN. Uses step-up tokens without details for other transfers.': async () => {
      expect(fieldsSentTo('transfers')).not.toContain('transaction_password');
      const ana = await payer();
      const token = await stack.auth.issueStepUpToken({ userId: ana.id, endpointKey: calls.transferKey });
      expect((await pay(ana.call, ana, token)).status).toBe(201);
    },
    'Posts any transfer; without a consent to it, `npm run verify-ledger` finds it.': async () => {
      const ana = await payer();
      const token = await stack.auth.issueStepUpToken({ userId: ana.id, endpointKey: calls.transferKey });
      const { id } = created(await pay(ana.call, ana, token));
      const row = await database('transfers').collection('transfers').findOne({ _id: id });
      const { kid } = JSON.parse(Buffer.from(String(row?.['consent']).split('.')[0] ?? '', 'base64url').toString());
      expect(await database('auth').collection('consent_keys').distinct('kid')).toContain(kid);
      expect(await database('transfers').collection('keys').distinct('kid')).not.toContain(kid);
    },
    'The keys of receipts only, which verify no token.': async () => {
      expect(await secretsOf('transfers')).toEqual(['KEY_SEALING_SECRET']);
      const kids = await database('auth').collection('keys').distinct('_id');
      expect(await database('transfers').collection('keys').distinct('_id')).not.toEqual(expect.arrayContaining(kids));
    },
  },
  "control of the notifier's process": {
    'The access tokens of connected clients. No password.': async () => {
      expect(await secretsOf('notifier')).toEqual([]);
      expect(endpoints.filter(({ service, body }) => service === 'notifier' && body !== undefined)).toEqual([]);
    },
    'All orders, as events. Invents and conceals events on screens; changes orders as connected clients may.':
      async () => {
        const { id } = created(await order((await customer()).call));
        expect(await events.waitFor('order.created', id)).toHaveLength(1);
      },
    'No PIN and no step-up token.': async () => expect(getsStepUpTokens('notifier')).toBe(false),
    'Reads transfers as events, and what connected clients may read. Moves nothing.': async () => {
      const ana = await payer();
      const token = await stack.auth.issueStepUpToken({ userId: ana.id, endpointKey: calls.transferKey });
      const { id } = created(await pay(ana.call, ana, token));
      expect(await events.waitFor('transfer.posted', id)).toHaveLength(1);
      expect(codeOf(await pay(ana.call, ana))).toBe('401 step_up_required');
    },
    'What a manager may read, while one is connected. No key and no pepper.': async () =>
      expect(await secretsOf('notifier')).toEqual([]),
  },
};

const claimsOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;
const tokensOf = (user: TestUser) => ({ pins: [], tokens: [user.token] });

describe.each(Object.keys(attackers))('attacker: %s', (attacker) => {
  test.each(Object.entries(attackers[attacker] ?? {}))('gets %s', async (_cell, check) => check());
});
