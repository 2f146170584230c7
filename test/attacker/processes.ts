import { readFileSync } from 'node:fs';
import type { ServiceName } from '@comanda/contracts/endpoint';
import { expect } from '@jest/globals';
import { settingsOfService } from '@comanda/local-stack/settings-of-service';
import { endpoints } from '@comanda/contracts/registry';
import { caller, codeOf, created } from '@comanda/testing/call';
import * as calls from '@comanda/testing/step-up-calls';
import { Decimal128 } from 'mongodb';
import { balanceOf, pay, type Attackers } from './target.ts';

const secretSettings = ['KEY_SEALING_SECRET', 'PIN_PEPPER'];
/** Returns the names of the service's settings that contain secrets for encrypting and hashing. */
const secretsOf = async (service: ServiceName): Promise<string[]> =>
  Object.values(await settingsOfService(service))
    .map(({ env }) => env)
    .filter((name) => secretSettings.includes(name));
/**
 * Returns the contracts of all request bodies to this service as text, to search for field names. Leaves out the guests' Wi-Fi,
 * whose password is no user's.
 */
const fieldsSentTo = (service: ServiceName): string =>
  endpoints
    .filter((contract) => contract.service === service)
    .map(({ body }) => JSON.stringify(body?.describe() ?? {}, (key, value) => (key === 'wifi' ? undefined : value)))
    .join('\n');
const passwordFields = /"(password|transaction_password)":/;
const getsStepUpTokens = (service: ServiceName): boolean =>
  endpoints.some((contract) => contract.service === service && contract.stepUp !== undefined);

/** Attackers with control of a service's process. */
export const processes: Attackers = {
  "control of the gateway's process": {
    'Can read every password and token that passes through.': async () => {
      const sent = endpoints.filter(({ body }) => passwordFields.test(JSON.stringify(body?.describe() ?? {})));
      expect(sent.map(({ path }) => path)).toEqual(expect.arrayContaining(['/auth/login', '/auth/password', '/users']));
      expect(sent.filter(({ path }) => path.startsWith('/internal/'))).toEqual([]);
    },
    'Can read every order that passes through, and place and change orders as any user who makes a call.': async ({
      stack,
      customer,
      order,
    }) => {
      // The services need only the access token, which passes through the gateway.
      const ana = await customer();
      expect((await order(caller(stack.services.orders.url, { token: ana.token }))).status).toBe(201);
    },
    'Can read every PIN that passes through, and use the authorization for other requests.': async () =>
      expect(fieldsSentTo('auth-stepup')).toContain('"transaction_password":'),
    'Can move the money of every user who enters a PIN in the meantime.': async ({ stack, payer }) => {
      // The access token and the PIN both pass through the gateway, which is enough to get a step-up token.
      const ana = await payer();
      created(await calls.choosePin(ana.call));
      const asAna = caller(stack.services['auth-stepup'].url, { token: ana.token });
      const token = await calls.tokenFor(asAna);
      expect((await pay(caller(stack.services.transfers.url, { token: ana.token }), ana, token)).status).toBe(201);
    },
    "Can do what a manager may do while one enters a PIN. Can't get a key or a pepper.": async () =>
      expect(await secretsOf('gateway')).toEqual([]),
  },
  "control of auth-stepup's process": {
    'Can sign in as any user.': async () => expect(await secretsOf('auth-stepup')).toContain('KEY_SEALING_SECRET'),
    'Can act as any user.': async ({ stack }) => {
      const { privateKey } = await stack.auth.signingKey();
      expect(privateKey.type).toBe('private');
    },
    'Can read every PIN that is entered, and try out all others.': async () =>
      expect(await secretsOf('auth-stepup')).toContain('PIN_PEPPER'),
    "Can move money as any user. Can't sign a receipt, because that key has another secret.": async () => {
      const compose = readFileSync(new URL('../../docker-compose.yml', import.meta.url), 'utf8');
      const secretIn = (service: string): string =>
        new RegExp(String.raw`\n  ${service}:\n[\s\S]*?KEY_SEALING_SECRET: (\S+)`).exec(compose)?.[1] ?? '';
      expect(secretIn('auth-stepup')).not.toBe('');
      expect(secretIn('transfers')).not.toBe(secretIn('auth-stepup'));
    },
    "Can get everything: the keys for tokens, the pepper and the tables' codes.": async () =>
      expect((await secretsOf('auth-stepup')).toSorted()).toEqual(secretSettings),
  },
  "control of orders' process": {
    "Can use its callers' access tokens, which are valid at every service. Can't get a password.": async ({
      stack,
      customer,
    }) => {
      const ana = await customer();
      expect((await caller(stack.services.transfers.url, { token: ana.token })('GET', '/accounts')).status).toBe(200);
      expect(fieldsSentTo('orders')).not.toMatch(passwordFields);
    },
    'Can read and change all orders and dishes.': async ({ customer, database, order }) => {
      const { id } = created(await order((await customer()).call));
      expect(await database('orders').collection('pedidos').findOne({ _id: id })).not.toBeNull();
    },
    "Can't get a PIN. Can get step-up tokens for closing days and, with `MENU_STEP_UP=on`, for dishes, which are valid for nothing else.":
      async ({ stack, dish, manager, payer }) => {
        expect(fieldsSentTo('orders')).not.toContain('transaction_password');
        const keys = endpoints.flatMap(({ service, stepUp }) => (service === 'orders' && stepUp ? [stepUp.key] : []));
        expect(new Set(keys)).toEqual(new Set(['day.close', 'menu.manage']));
        const bruno = await manager();
        const details = [{ type: 'menu_management', item_id: dish, price: '0.01' }];
        const token = await stack.auth.issueStepUpToken({ userId: bruno.id, endpointKey: 'menu.manage', details });
        const { from } = await payer();
        const sent = { body: { amount: '1.00' }, headers: { 'x-step-up-token': token } };
        expect(codeOf(await bruno.call('POST', `/accounts/${from}/deposits`, sent))).toBe('401 step_up_wrong_endpoint');
      },
    "Can read what its callers may read. Can't move money.": async ({ payer }) => {
      const ana = await payer();
      expect(codeOf(await pay(ana.call, ana))).toBe('401 step_up_required');
    },
    'Can show a bill as paid or open, but the ledger has no transfer for it, and refunds nothing for it.': async ({
      manager,
      database,
      payer,
      reserve,
      giveBack,
      rewritePayment,
    }) => {
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
    "Can't change an amount for which a user has entered a PIN.": async ({
      payer,
      reserve,
      payReserved,
      rewritePayment,
    }) => {
      const ana = await payer();
      const payment = await reserve(ana);
      await rewritePayment(payment, { 'payments.0.amount': Decimal128.fromString('99.00') });
      expect(codeOf(await payReserved(ana, payment))).toBe('422 amount_mismatch');
      expect(await balanceOf(ana)).toBe('100.00');
    },
    "Can read what a manager may read while one makes a call. Can't get a key or a pepper.": async () =>
      expect(await secretsOf('orders')).toEqual([]),
  },
  "control of transfers' process": {
    "Can use its callers' access tokens, which are valid at each service. Can't get a password.": async ({
      stack,
      customer,
    }) => {
      const ana = await customer();
      expect((await caller(stack.services.orders.url, { token: ana.token })('GET', '/orders')).status).toBe(200);
      expect(fieldsSentTo('transfers')).not.toMatch(passwordFields);
    },
    'Can do what its callers may do.': async ({ stack, customer, order }) =>
      expect((await order(caller(stack.services.orders.url, { token: (await customer()).token }))).status).toBe(201),
    "Can't get a PIN. Can use step-up tokens without details for other transfers.": async ({ stack, payer }) => {
      expect(fieldsSentTo('transfers')).not.toContain('transaction_password');
      const ana = await payer();
      const token = await stack.auth.issueStepUpToken({ userId: ana.id, endpointKey: calls.transferKey });
      expect((await pay(ana.call, ana, token)).status).toBe(201);
    },
    'Can post any transfer, but `npm run verify-ledger` finds it if it has no authorization.': async ({
      stack,
      database,
      payer,
    }) => {
      const ana = await payer();
      const token = await stack.auth.issueStepUpToken({ userId: ana.id, endpointKey: calls.transferKey });
      const { id } = created(await pay(ana.call, ana, token));
      const row = await database('transfers').collection('transfers').findOne({ _id: id });
      const { kid } = JSON.parse(Buffer.from(String(row?.['consent']).split('.')[0] ?? '', 'base64url').toString());
      expect(await database('auth').collection('consent_keys').distinct('kid')).toContain(kid);
      expect(await database('transfers').collection('keys').distinct('kid')).not.toContain(kid);
    },
    "Can get only the keys for receipts, which can't verify a token.": async ({ database }) => {
      expect(await secretsOf('transfers')).toEqual(['KEY_SEALING_SECRET']);
      const kids = await database('auth').collection('keys').distinct('_id');
      expect(await database('transfers').collection('keys').distinct('_id')).not.toEqual(expect.arrayContaining(kids));
    },
  },
  "control of the notifier's process": {
    "Can use the access tokens of connected clients. Can't get a password.": async () => {
      expect(await secretsOf('notifier')).toEqual([]);
      expect(endpoints.filter(({ service, body }) => service === 'notifier' && body !== undefined)).toEqual([]);
    },
    'Can read all orders as events, invent and hide events on screens, and change orders as connected clients may.':
      async ({ events, customer, order }) => {
        const { id } = created(await order((await customer()).call));
        expect(await events.waitFor('order.created', id)).toHaveLength(1);
      },
    "Can't get a PIN or a step-up token.": async () => expect(getsStepUpTokens('notifier')).toBe(false),
    "Can read transfers as events, and what connected clients may read. Can't move money.": async ({
      stack,
      events,
      payer,
    }) => {
      const ana = await payer();
      const token = await stack.auth.issueStepUpToken({ userId: ana.id, endpointKey: calls.transferKey });
      const { id } = created(await pay(ana.call, ana, token));
      expect(await events.waitFor('transfer.posted', id)).toHaveLength(1);
      expect(codeOf(await pay(ana.call, ana))).toBe('401 step_up_required');
    },
    "Can read what a manager may read while one is connected. Can't get a key or a pepper.": async () =>
      expect(await secretsOf('notifier')).toEqual([]),
  },
};
