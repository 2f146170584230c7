import { expect } from '@jest/globals';
import { caller, codeOf, created, type Called } from '@comanda/testing/call';
import { newEmail, password } from '@comanda/testing/credentials';
import * as calls from '@comanda/testing/step-up-calls';
import { claimsOf, codesOf, giveDiscount, pay, payInCash, type Attackers } from './target.ts';

/** Attackers with a token that is not theirs or is no longer meant for them. */
export const stolenTokens: Attackers = {
  'a stolen access token': {
    "Can sign the user out, even everywhere. Can't get a new token or set a new password.": async ({
      customer,
      refresh,
    }) => {
      const ana = await customer();
      const change = { body: { current: 'not-the-password', password: 'carpete-lua-garfo' } };
      expect(codeOf(await ana.call('PUT', '/auth/password', change))).toBe('403 password_invalid');
      expect((await refresh(ana.token)).status).toBeGreaterThanOrEqual(400);
      expect((await ana.call('DELETE', '/auth/sessions')).status).toBe(204);
      expect(codeOf(await refresh(ana.refreshToken))).toBe('401 invalid_refresh_token');
    },
    "A manager's can change dishes, prices and the pause, but the list of changes shows whose it was.": async ({
      marta,
      manager,
    }) => {
      const bruno = await manager();
      const { id } = created(await marta('POST', '/menu', { body: { name: 'Pudim', price: '12.00' } }));
      expect((await bruno.call('PUT', `/menu/${id}`, { body: { price: '0.01' } })).status).toBe(200);
      expect((await bruno.call('PUT', '/ordering', { body: {} })).status).toBe(200);
      const { body } = await marta('GET', `/menu-changes?item_id=${id}&limit=1`);
      expect(body).toMatchObject([{ actor: { id: bruno.id }, before: { price: '12.00' }, after: { price: '0.01' } }]);
    },
    'Can read, order and cancel as the user until it expires.': async ({ customer, order }) => {
      const ana = await customer();
      const { id } = created(await order(ana.call));
      expect((await ana.call('PUT', `/orders/${id}`, { body: { status: 'cancelled' } })).status).toBe(200);
    },
    'Can try two wrong PINs, and blocks the PIN with the third.': async ({ customer }) => {
      const ana = await customer();
      created(await calls.choosePin(ana.call));
      const codes = [];
      for (let guess = 0; guess < 4; guess++) codes.push(codeOf(await calls.stepUp(ana.call, calls.wrongPin)));
      const [wrong, blocked] = ['403 transaction_password_invalid', '429 transaction_password_blocked'];
      expect(codes).toEqual([wrong, wrong, blocked, blocked]);
    },
    'Can create a first PIN if the user has none and signed in less than 15 minutes ago.': async ({ customer }) => {
      const ana = await customer();
      expect((await calls.choosePin(ana.call)).status).toBe(201);
    },
    "Can't do any of this once the owner has signed out everywhere.": async ({ payer }) => {
      const ana = await payer();
      created(await calls.choosePin(ana.call));
      const token = await calls.tokenFor(ana.call, calls.transferKey);
      expect((await ana.call('DELETE', '/auth/sessions')).status).toBe(204);
      expect(codeOf(await calls.stepUp(ana.call))).toBe('401 invalid_token');
      expect(codeOf(await pay(ana.call, ana, token))).toBe('401 invalid_token');
    },
    "Can read balances. Can't move money.": async ({ payer }) => {
      const ana = await payer();
      expect((await ana.call('GET', `/accounts/${ana.from}`)).body.balance).toBe('100.00');
      expect(codeOf(await pay(ana.call, ana))).toBe('401 step_up_required');
    },
    "A waiter's can record a bill as paid in cash, and give discounts up to the limit for waiters.": async ({
      marta,
      customer,
      waiter,
      order,
    }) => {
      const walter = await waiter();
      const { bill_id: billId } = created(await order((await customer()).call));
      const discount = (percent: string): Promise<Called> => giveDiscount(walter.call, billId, percent);
      expect((await marta('PUT', '/restaurant', { body: { waiter_discount_limit: '10.00' } })).status).toBe(200);
      expect(await codesOf(discount('11.00'), discount('10.00'))).toEqual(['403 forbidden', '201']);
      created(await payInCash(walter.call, billId, '29.25'));
    },
    "A manager's can discount a whole bill, refund cash payments, and change the service charge.": async ({
      customer,
      manager,
      order,
    }) => {
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
    "A manager's can read users and the audit trail, and change tables' codes. It can't add or change a user.": async ({
      customer,
      manager,
      newTable,
    }) => {
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
    'It can remove tables and shared tablets, and withdraw invitations.': async ({
      manager,
      manage,
      newTable,
      registerTablet,
    }) => {
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
    'Can get access tokens until the owner uses their own, which ends the session for both.': async ({
      customer,
      refresh,
    }) => {
      const ana = await customer();
      const first = (await refresh(ana.refreshToken)).body.refresh_token;
      const second = (await refresh(first)).body.refresh_token;
      expect(await codesOf(refresh(ana.refreshToken))).toEqual(['401 invalid_refresh_token']);
      expect(codeOf(await refresh(second))).toBe('401 invalid_refresh_token');
    },
    'Can do the same as an access token.': async ({ stack, customer, refresh, order }) => {
      const ana = await customer();
      const { access_token: token } = (await refresh(ana.refreshToken)).body;
      expect((await order(caller(stack.gatewayUrl, { token }))).status).toBe(201);
      expect(claimsOf(token)).toMatchObject({ sub: String(ana.id), role: 'customer' });
    },
    "Can do the same as an access token, but can't create a first PIN more than 15 minutes after the sign-in.": async ({
      customer,
      refresh,
    }) => {
      const ana = await customer();
      const { access_token: token } = (await refresh(ana.refreshToken)).body;
      expect(claimsOf(token)['auth_time']).toBe(claimsOf(ana.token)['auth_time']);
    },
  },
  'a disabled manager': {
    "Can't get a new token.": async ({ login, refresh, disabledManager }) => {
      const bruno = await disabledManager();
      expect(await codesOf(refresh(bruno.refreshToken), login(bruno.email))).toEqual([
        '401 invalid_refresh_token',
        '401 invalid_credentials',
      ]);
    },
    'Can do the same as before until the access token expires.': async ({ order, disabledManager }) => {
      const bruno = await disabledManager();
      expect(await codesOf(bruno.call('GET', '/orders'), order(bruno.call))).toEqual(['200', '201']);
    },
    "Can't get a step-up token, or use one from before.": async ({ customer, manager, manage }) => {
      const bruno = await manager();
      created(await calls.choosePin(bruno.call));
      const headers = { 'x-step-up-token': await calls.tokenFor(bruno.call, 'user.manage') };
      expect((await manage('PUT', `/users/${bruno.id}`, { status: 'disabled' })).status).toBe(200);
      expect(codeOf(await calls.stepUp(bruno.call))).toBe('401 invalid_token');
      const body = { role: 'manager' };
      const { id } = await customer();
      expect(codeOf(await bruno.call('PUT', `/users/${id}`, { body, headers }))).toBe('401 invalid_token');
    },
    "Can read accounts until the access token expires. Can't move money.": async ({ disabledManager, payer }) => {
      const [ana, bruno] = [await payer(), await disabledManager()];
      expect((await bruno.call('GET', `/accounts/${ana.from}`)).status).toBe(200);
      const deposit = bruno.call('POST', `/accounts/${ana.to}/deposits`, { body: { amount: '1.00' } });
      expect(codeOf(await deposit)).toBe('401 step_up_required');
    },
    "Can read users and the audit trail until the access token expires. Can't change a user or a table.": async ({
      disabledManager,
      newTable,
    }) => {
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
};
