import { expect } from '@jest/globals';
import { caller, codeOf, created } from '@comanda/testing/call';
import { newEmail, password } from '@comanda/testing/credentials';
import * as calls from '@comanda/testing/step-up-calls';
import { balanceOf, claimsOf, codesOf, type Attackers } from './target.ts';

/** Attackers among the guests and customers. */
export const guests: Attackers = {
  'a new user': {
    'Can have a session of their own.': async ({ stack, customer }) => {
      const body = { name: 'Eve', email: newEmail('eve'), password, role: 'manager' };
      expect(codeOf(await stack.call('POST', '/auth/register', { body }))).toBe('400 validation_failed');
      expect(claimsOf((await customer()).token)['role']).toBe('customer');
    },
    'Can order for any table without being there, but can read and cancel only these orders.': async ({
      dish,
      customer,
      order,
    }) => {
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
    'Can create a PIN of their own.': async ({ martaId, customer }) => {
      const eve = await customer();
      expect((await calls.choosePin(eve.call)).status).toBe(201);
      const approval = eve.call('POST', `/users/${martaId}/transaction-password-resets`);
      expect(codeOf(await approval)).toBe('403 forbidden');
    },
    'Can open accounts of their own.': async ({ customer, payer }) => {
      const [eve, ana] = [await customer(), await payer()];
      const own = await calls.openAccount(eve.call);
      expect(codeOf(await eve.call('GET', `/accounts/${ana.from}`))).toBe('404 not_found');
      expect((await eve.call('GET', `/accounts/${own}`)).body.balance).toBe('0.00');
    },
    "Can't access other users or any key.": async ({ customer }) => {
      const { call } = await customer();
      expect(await codesOf(call('GET', '/users'), call('GET', '/audit'), call('PUT', '/tables/X'))).toEqual([
        '403 forbidden',
        '403 forbidden',
        '403 forbidden',
      ]);
    },
  },
  'a stranger before the first manager': {
    'Can guess the setup code, which has 140 random bits, ten times a minute from each address.': async ({
      newRestaurant,
      guessSetupCode,
    }) => {
      expect(await newRestaurant.createSetupCode()).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-?){7}$/);
      const codes = [];
      for (let guess = 0; guess < 11; guess++) codes.push(codeOf(await guessSetupCode('203.0.113.1')));
      expect(codes).toEqual([...Array<string>(10).fill('401 setup_code_invalid'), '429 rate_limited']);
    },
    "Can do the same as a new user, but can't add a table.": async ({ newRestaurant }) => {
      const eve = newRestaurant.as(await newRestaurant.customer());
      expect(await codesOf(newRestaurant.call('PUT', '/tables/1'), eve('PUT', '/tables/1'))).toEqual([
        '401 authentication_required',
        '403 forbidden',
      ]);
    },
    'Can create a PIN of their own after registering.': async ({ newRestaurant }) => {
      const eve = newRestaurant.as(await newRestaurant.customer());
      expect((await calls.choosePin(eve)).status).toBe(201);
    },
    'Can open accounts of their own, but without money, because only a manager can make a deposit.': async ({
      customer,
    }) => {
      const eve = await customer();
      const deposit = { body: { amount: '100.00' } };
      const own = await calls.openAccount(eve.call);
      expect(codeOf(await eve.call('POST', `/accounts/${own}/deposits`, deposit))).toBe('403 forbidden');
    },
    "Can see that there is no manager, but can't become one without the code.": async ({
      newRestaurant,
      guessSetupCode,
    }) => {
      expect(codeOf(await guessSetupCode('203.0.113.2'))).toBe('401 setup_code_invalid');
      expect((await newRestaurant.call('GET', '/setup')).body).toEqual({ needs_first_manager: true });
    },
  },
  'a guest with a photographed code': {
    "Can have a guest's session until the table is closed or its code is changed, for at most 12 hours.": async ({
      stack,
      marta,
      refresh,
      newTable,
      scan,
    }) => {
      const { table, token } = await newTable();
      const guest = await scan(token);
      expect((await marta('PUT', `/tables/${table}`)).status).toBe(200);
      expect(codeOf(await refresh(guest.refreshToken))).toBe('401 invalid_refresh_token');
      const again = stack.call('POST', '/auth/guest', { body: { table_token: token } });
      expect(codeOf(await again)).toBe('401 table_token_invalid');
    },
    "Can order at that table until it is closed, and read its seating's orders for up to 5 minutes longer.": async ({
      marta,
      customer,
      order,
      newTable,
      scan,
    }) => {
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
    "Can't use a PIN, because guests have none.": async ({ newTable, scan }) => {
      const { call } = await scan((await newTable()).token);
      expect(await codesOf(calls.choosePin(call), calls.stepUp(call))).toEqual([
        '403 account_required',
        '403 account_required',
      ]);
    },
    "Can't use an account, because guests have none.": async ({ newTable, scan }) => {
      const { call } = await scan((await newTable()).token);
      expect(await codesOf(call('GET', '/accounts'), call('POST', '/accounts', { body: {} }))).toEqual([
        '403 account_required',
        '403 account_required',
      ]);
    },
    "Can't access anything that belongs to others.": async ({ newTable, scan }) => {
      const { call } = await scan((await newTable()).token);
      expect(await codesOf(call('GET', '/users'), call('GET', '/tables'), call('GET', '/audit'))).toEqual(
        Array(3).fill('403 forbidden'),
      );
    },
  },
  'a guest at the next table': {
    "Can have a guest's session at their own table.": async ({ refresh, newTable, scan }) => {
      const guest = await scan((await newTable()).token);
      const { body } = await refresh(guest.refreshToken);
      expect(claimsOf(body.access_token)).toMatchObject({ guest: true, role: 'customer' });
    },
    "Can order and call for their own table. Can't read or cancel an order, bill or call at the next one, or move its guests.":
      async ({ dish, order, newTable, scan }) => {
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
    "Can't use a PIN, because a guest at another table has none.": async ({ newTable, scan }) => {
      const { call } = await scan((await newTable()).token);
      expect(codeOf(await calls.choosePin(call))).toBe('403 account_required');
    },
    "Can't pay any part of the next table's bill, even with an account.": async ({
      stack,
      customer,
      order,
      newTable,
      scan,
    }) => {
      const [here, there] = [await newTable(), await newTable()];
      const { bill_id: bill } = created(await order((await scan(here.token)).call));
      const eve = await customer();
      const seat = { refresh_token: eve.refreshToken, table_token: there.token };
      const { body } = await stack.call('POST', '/auth/seat', { body: seat });
      const seated = caller(stack.gatewayUrl, { token: body.access_token });
      const part = { method: 'account', part: { rest: true }, expected_amount: '32.50' };
      expect(codeOf(await seated('POST', `/bills/${bill}/payments`, { body: part }))).toBe('404 not_found');
    },
    "Can't pay another user's payment, or from another user's account.": async ({
      payer,
      reserve,
      moveFor,
      payReserved,
    }) => {
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
    "Can't see anyone at any table.": async ({ newTable, scan }) => {
      const { call } = await scan((await newTable()).token);
      expect(await codesOf(call('GET', '/users'), call('GET', '/tables'))).toEqual(Array(2).fill('403 forbidden'));
    },
  },
};
