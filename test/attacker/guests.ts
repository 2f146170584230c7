import { expect } from '@jest/globals';
import { caller, codeOf, created } from '@comanda/testing/call';
import { newEmail, password } from '@comanda/testing/credentials';
import * as calls from '@comanda/testing/step-up-calls';
import { balanceOf, claimsOf, codesOf, type Attackers } from './target.ts';

/** Attackers among the guests and customers. */
export const guests: Attackers = {
  'a new user': {
    'A session of their own.': async ({ stack, customer }) => {
      const body = { name: 'Eve', email: newEmail('eve'), password, role: 'manager' };
      expect(codeOf(await stack.call('POST', '/auth/register', { body }))).toBe('400 validation_failed');
      expect(claimsOf((await customer()).token)['role']).toBe('customer');
    },
    'Orders for any table without being there, and reads and cancels these orders only.': async ({
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
    'A PIN of their own.': async ({ martaId, customer }) => {
      const eve = await customer();
      expect((await calls.choosePin(eve.call)).status).toBe(201);
      const approval = eve.call('POST', `/users/${martaId}/transaction-password-resets`);
      expect(codeOf(await approval)).toBe('403 forbidden');
    },
    'Accounts of their own.': async ({ customer, payer }) => {
      const [eve, ana] = [await customer(), await payer()];
      const own = await calls.openAccount(eve.call);
      expect(codeOf(await eve.call('GET', `/accounts/${ana.from}`))).toBe('404 not_found');
      expect((await eve.call('GET', `/accounts/${own}`)).body.balance).toBe('0.00');
    },
    'Nobody and no key.': async ({ customer }) => {
      const { call } = await customer();
      expect(await codesOf(call('GET', '/users'), call('GET', '/audit'), call('PUT', '/tables/X'))).toEqual([
        '403 forbidden',
        '403 forbidden',
        '403 forbidden',
      ]);
    },
  },
  'a stranger before the first manager': {
    'Ten guesses a minute at the setup code, which has 140 random bits, and a hundred from all addresses.': async ({
      newRestaurant,
      guessSetupCode,
    }) => {
      expect(await newRestaurant.createSetupCode()).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-?){7}$/);
      const codes = [];
      for (let guess = 0; guess < 11; guess++) codes.push(codeOf(await guessSetupCode('203.0.113.1')));
      expect(codes).toEqual([...Array<string>(10).fill('401 setup_code_invalid'), '429 rate_limited']);
    },
    'As a new user. Adds no table.': async ({ newRestaurant }) => {
      const eve = newRestaurant.as(await newRestaurant.customer());
      expect(await codesOf(newRestaurant.call('PUT', '/tables/1'), eve('PUT', '/tables/1'))).toEqual([
        '401 authentication_required',
        '403 forbidden',
      ]);
    },
    'A PIN of their own, after they register.': async ({ newRestaurant }) => {
      const eve = newRestaurant.as(await newRestaurant.customer());
      expect((await calls.choosePin(eve)).status).toBe(201);
    },
    'Accounts of their own without money: only a manager deposits.': async ({ customer }) => {
      const eve = await customer();
      const deposit = { body: { amount: '100.00' } };
      const own = await calls.openAccount(eve.call);
      expect(codeOf(await eve.call('POST', `/accounts/${own}/deposits`, deposit))).toBe('403 forbidden');
    },
    'Sees that there is no manager, and becomes none without the code.': async ({ newRestaurant, guessSetupCode }) => {
      expect(codeOf(await guessSetupCode('203.0.113.2'))).toBe('401 setup_code_invalid');
      expect((await newRestaurant.call('GET', '/setup')).body).toEqual({ needs_first_manager: true });
    },
  },
  'a guest with a photographed code': {
    "A guest's session, until the table is closed or its code is changed, 12 hours at most.": async ({
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
    'Orders at that table until it is closed; reads the orders of its seating, up to 5 minutes longer.': async ({
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
    'Nothing: guests have no PIN.': async ({ newTable, scan }) => {
      const { call } = await scan((await newTable()).token);
      expect(await codesOf(calls.choosePin(call), calls.stepUp(call))).toEqual([
        '403 account_required',
        '403 account_required',
      ]);
    },
    'Nothing: guests have no account.': async ({ newTable, scan }) => {
      const { call } = await scan((await newTable()).token);
      expect(await codesOf(call('GET', '/accounts'), call('POST', '/accounts', { body: {} }))).toEqual([
        '403 account_required',
        '403 account_required',
      ]);
    },
    'Nothing of others.': async ({ newTable, scan }) => {
      const { call } = await scan((await newTable()).token);
      expect(await codesOf(call('GET', '/users'), call('GET', '/tables'), call('GET', '/audit'))).toEqual(
        Array(3).fill('403 forbidden'),
      );
    },
  },
  'a guest at the next table': {
    "A guest's session at their own table.": async ({ refresh, newTable, scan }) => {
      const guest = await scan((await newTable()).token);
      const { body } = await refresh(guest.refreshToken);
      expect(claimsOf(body.access_token)).toMatchObject({ guest: true, role: 'customer' });
    },
    'Orders and calls for their own table. Reads no order, bill or call of the next one, takes none back, and moves nobody.':
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
    'Nothing: a guest at another table has no PIN.': async ({ newTable, scan }) => {
      const { call } = await scan((await newTable()).token);
      expect(codeOf(await calls.choosePin(call))).toBe('403 account_required');
    },
    'Nothing. With an account, they pay no part of the bill of the next table.': async ({
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
    'Pays no payment of another, and from no account but their own.': async ({
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
    'Nobody at any table.': async ({ newTable, scan }) => {
      const { call } = await scan((await newTable()).token);
      expect(await codesOf(call('GET', '/users'), call('GET', '/tables'))).toEqual(Array(2).fill('403 forbidden'));
    },
  },
};
