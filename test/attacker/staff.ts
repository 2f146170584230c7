import { expect } from '@jest/globals';
import { caller, codeOf, created } from '@comanda/testing/call';
import { newEmail, password } from '@comanda/testing/credentials';
import * as calls from '@comanda/testing/step-up-calls';
import { balanceOf, codesOf, pay, type Attackers } from './target.ts';

/** Attackers among the staff, and with a staff tablet. */
export const staff: Attackers = {
  'a waiter': {
    'Can use only their own sessions.': async ({ customer, waiter }) => {
      const [walter, ana] = [await waiter(), await customer()];
      expect(codeOf(await walter.call('GET', `/users/${ana.id}`))).toBe('403 forbidden');
    },
    "Can use all orders and calls, and open, close, move, merge and clean tables and read their codes. Can't change a code or a dish.":
      async ({ dish, customer, waiter, order, newTable, scan }) => {
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
    "Can use only their own PIN. Can't approve a reset.": async ({ customer, waiter }) => {
      const [walter, ana] = [await waiter(), await customer()];
      created(await calls.choosePin(walter.call));
      expect(codeOf(await calls.stepUp(walter.call, calls.pin, calls.resetKey))).toBe('403 forbidden');
      const path = `/users/${ana.id}/transaction-password-resets`;
      expect(codeOf(await walter.call('POST', path))).toBe('403 forbidden');
    },
    "Can use only their own accounts. Can't make a deposit.": async ({ waiter, payer }) => {
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
    "Can't pay a bill from an account, or refund one to an account.": async ({
      waiter,
      payer,
      reserve,
      moveFor,
      payReserved,
      giveBack,
    }) => {
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
    "Can't access other users or keys.": async ({ waiter }) => {
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
    'Can read the names of its waiters until a manager removes the tablet.': async ({
      stack,
      marta,
      registerTablet,
      waiterWithTabletPin,
    }) => {
      const { id, credential } = await registerTablet();
      const walter = await waiterWithTabletPin();
      const read = () => stack.call('POST', '/auth/tablet', { body: { tablet_credential: credential } });
      expect((await read()).body.people).toContainEqual({ id: walter.id, name: 'Walter' });
      expect((await marta('DELETE', `/tablets/${id}`)).status).toBe(204);
      expect(codeOf(await read())).toBe('401 tablet_invalid');
    },
    'Can guess a tablet PIN twenty times in a row, five times in 15 minutes.': async ({
      servers,
      redis,
      registerTablet,
      waiterWithTabletPin,
      signInThere,
    }) => {
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
    "Can't do anything without a tablet PIN. With one, can act as that waiter for at most 12 hours.": async ({
      stack,
      customer,
      database,
      order,
      registerTablet,
      waiterWithTabletPin,
      signInThere,
    }) => {
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
    "Can't enter a PIN in a tablet's session.": async ({ onTablet }) => {
      const [call] = await onTablet();
      expect(
        await codesOf(
          calls.stepUp(call),
          calls.choosePin(call),
          call('PUT', '/auth/password', { body: { current: password, password: 'carpete-lua-garfo' } }),
        ),
      ).toEqual(Array(3).fill('401 reauthentication_required'));
    },
    "Can't read an account in a tablet's session.": async ({ onTablet }) => {
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
    "Can't add a tablet.": async ({ onTablet }) => {
      const [call] = await onTablet();
      expect(codeOf(await call('POST', '/tablets', { body: { name: 'Another' } }))).toBe('403 forbidden');
    },
  },
};
