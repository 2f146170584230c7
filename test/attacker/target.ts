import { expect } from '@jest/globals';
import type { StepUpTokenRequest, TestUser } from '@comanda/testing/auth-stepup-process';
import { caller, codeOf, created, type Call, type Called } from '@comanda/testing/call';
import { newEmail, password } from '@comanda/testing/credentials';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { startNewRestaurant } from '@comanda/testing/new-restaurant';
import { recordEvents } from '@comanda/testing/recorded-events';
import { startStack } from '@comanda/testing/stack';
import * as calls from '@comanda/testing/step-up-calls';
import { Redis } from 'ioredis';
import { MongoClient, type Db, type Document } from 'mongodb';

/**
 * Attackers from the table "What an attacker gets" in docs/security.md. Each key is the first cell of a row. Each of its keys is
 * the text of another cell, or a part of it, with the check of that text.
 */
export type Attackers = Record<string, Record<string, (target: Target) => Promise<void>>>;
/** The services and servers that are attacked, and what attackers and their victims do there. */
export type Target = Awaited<ReturnType<typeof startTarget>>;
type User = TestUser & { call: Call };
/** A customer with 100.00 in the account `from`, and the account `to` of another customer. */
type Payer = User & { from: number; to: number };
type Payment = { id: number; billId: number };

/** Starts a whole stack whose database, Redis and events the attacks can use, and a new restaurant without a manager. */
export async function startTarget() {
  const servers = await isolatedServers('attacker');
  const newRestaurant = await startNewRestaurant('attacker-new');
  const stack = await startStack(servers, { ...calls.withoutLimits, RATE_LIMIT_SIGN_IN_FAILURES: '2' });
  const mongo = await new MongoClient(servers.mongodbUri).connect();
  const redis = new Redis(servers.redisUrl);
  const events = await recordEvents(servers.rabbitmqUrl);
  const marta = caller(stack.gatewayUrl, { token: stack.managerToken });
  const martaId = Number(claimsOf(stack.managerToken)['sub']);
  created(await calls.choosePin(marta));
  const dish: number = created(await marta('POST', '/menu', { body: { name: 'Feijoada', price: '32.50' } })).id;

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
  async function payer(): Promise<Payer> {
    const [ana, eve] = [await customer(), await customer()];
    const [from, to] = [await calls.openAccount(ana.call), await calls.openAccount(eve.call)];
    const headers = await consent(calls.depositKey);
    created(await marta('POST', `/accounts/${from}/deposits`, { body: { amount: '100.00' }, headers }));
    return { ...ana, from, to };
  }

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

  return {
    servers,
    stack,
    newRestaurant,
    redis,
    events,
    marta,
    martaId,
    dish,
    customer,
    waiter,
    manager,
    database,
    users,
    login,
    refresh,
    guessSetupCode,
    order,
    manage,
    disabledManager,
    payer,
    newTable,
    scan,
    reserve,
    moveFor,
    payReserved,
    giveBack,
    rewritePayment,
    registerTablet,
    waiterWithTabletPin,
    signInThere,
    onTablet,
    close: async () => {
      await events.close();
      redis.disconnect();
      await mongo.close();
      await stack.close();
      await newRestaurant.close();
    },
  };
}

/** Waits for these responses and returns the status and problem code of each, such as `403 forbidden`. */
export const codesOf = async (...responses: Promise<Called>[]): Promise<string[]> =>
  (await Promise.all(responses)).map(codeOf);
export const claimsOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;
export const tokensOf = (user: TestUser) => ({ pins: [], tokens: [user.token] });
export const pay = (call: Call, { from, to }: { from: number; to: number }, stepUpToken?: string): Promise<Called> =>
  call('POST', '/accounts/internal-transfers', {
    body: { from_account_id: from, to_account_id: to, amount: '1.00' },
    ...(stepUpToken !== undefined && { headers: { 'x-step-up-token': stepUpToken } }),
  });
export const payInCash = (call: Call, billId: number, amount: string): Promise<Called> =>
  call('POST', `/bills/${billId}/payments`, {
    body: { method: 'cash', part: { rest: true }, expected_amount: amount },
  });
export const giveDiscount = (call: Call, billId: number, percent: string): Promise<Called> =>
  call('POST', `/bills/${billId}/discounts`, { body: { percent, reason: 'x' } });
export const balanceOf = async ({ call, from }: Payer): Promise<string> =>
  (await call('GET', `/accounts/${from}`)).body.balance;
