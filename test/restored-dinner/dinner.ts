import { randomUUID } from 'node:crypto';
import type { TestUser } from '@comanda/testing/auth-stepup-process';
import { caller, created, type Call } from '@comanda/testing/call';
import { patient } from '@comanda/testing/patient';
import type { Stack } from '@comanda/testing/stack';
import { until } from '@comanda/testing/until';
import type { Ids } from './facts.ts';

/** The results of a party's evening: a guest has ordered and called a waiter, and a customer has sent and received money. */
export type Party = { ids: Ids; customer: TestUser; table: string };

/** Signs in a manager, and returns functions that serve guests. Each party causes every kind of number to be issued. */
export async function openDinner(stack: Stack) {
  const { auth } = stack;
  const manager = await auth.manager('Olga');
  // Newly restored services are slow at first, and may return 503 on a busy machine.
  const callAs = (token: string): Call => patient(caller(stack.gatewayUrl, { token }));
  const asManager = callAs(manager.token);
  const consent = async (userId: number, endpointKey: string, details?: object) => ({
    'x-step-up-token': await auth.issueStepUpToken({
      userId,
      endpointKey,
      ...(details && { details: [details] as never }),
    }),
  });

  async function sitDown() {
    const table = `T-${randomUUID().slice(0, 8)}`;
    const { body } = await asManager('PUT', `/tables/${table}`);
    const scanned = await patient(stack.call)('POST', '/auth/guest', { body: { table_token: body.table_token } });
    const guest = callAs(scanned.body.access_token);
    const { id } = (await guest('GET', '/auth/me')).body;
    const tables = (await asManager('GET', '/tables')).body as { table: string; seating: number }[];
    const seating = tables.find((each) => each.table === table)?.seating ?? 0;
    return { table, guest, guestId: id as number, seating };
  }
  async function openAccount(customer: TestUser): Promise<{ call: Call; account: number; deposited: number }> {
    const call = callAs(customer.token);
    const account = created(await call('POST', '/accounts', { body: {} })).id as number;
    const headers = await consent(manager.id, 'account_deposit.create');
    const deposit = { body: { amount: '100.00' }, headers };
    const deposited = created(await asManager('POST', `/accounts/${account}/deposits`, deposit)).id as number;
    return { call, account, deposited };
  }
  /** Pays for an order of the customer's own, and sends the rest of the money to the manager. */
  async function payAndSend(customer: TestUser, dish: number) {
    const { call, account, deposited } = await openAccount(customer);
    const other = created(await asManager('POST', '/accounts', { body: {} })).id as number;
    const order = created(await call('POST', '/orders', { body: { items: [{ item_id: dish, quantity: 1 }] } }));
    const reserve = { method: 'account', part: { rest: true }, expected_amount: '32.50' };
    const payment = created(await call('POST', `/bills/${order.bill_id}/payments`, { body: reserve }));
    const paid = { payment_id: payment.id, from_account_id: account, amount: payment.total, currency: 'BRL' };
    const paying = await consent(customer.id, 'bill_payment.create', { type: 'bill_payment', ...paid });
    const bought = created(await call('POST', '/accounts/bill-payments', { body: paid, headers: paying }));
    const isPaid = async (): Promise<boolean> =>
      (await asManager('GET', `/bills/${order.bill_id}`)).body.remaining === '0.00';
    await until(isPaid, { what: 'a paid bill', timeoutMs: 20_000 });
    const body = { from_account_id: account, to_account_id: other, amount: '12.50' };
    const headers = await consent(customer.id, 'internal_transfer.create');
    const sent = created(await call('POST', '/accounts/internal-transfers', { body, headers }));
    return { order, payment, accounts: [account, other], transfers: [deposited, bought.id, sent.id] as number[] };
  }
  const newDish = async (): Promise<number> =>
    created(await asManager('POST', '/menu', { body: { name: randomUUID(), price: '32.50' } })).id;
  const firstDish = await newDish();
  async function serve(): Promise<Party> {
    const dish = await newDish();
    const { table, guest, guestId, seating } = await sitDown();
    const eaten = created(await guest('POST', '/orders', { body: { items: [{ item_id: dish, quantity: 2 }] } }));
    const call = created(await guest('POST', '/calls', { body: { kind: 'waiter' } }));
    const customer = await auth.customer('Lia');
    const { order, payment, accounts, transfers } = await payAndSend(customer, dish);
    const orders = [eaten, order] as { id: number; ticket: number; bill_id: number; items: { id: number }[] }[];
    const ids: Ids = {
      user: [guestId, customer.id],
      seating: [seating],
      dish: [dish],
      order: orders.map(({ id }) => id),
      ticket: orders.map(({ ticket }) => ticket),
      item: orders.flatMap(({ items }) => items.map(({ id }) => id)),
      bill: orders.map(({ bill_id: id }) => id),
      payment: [payment.id],
      call: [call.id],
      account: accounts,
      transfer: transfers,
    };
    return { ids, customer, table };
  }

  return {
    /** Serves `count` parties, one after another. */
    serveAll: async (count: number): Promise<Party[]> => {
      const parties: Party[] = [];
      while (parties.length < count) parties.push(await serve());
      return parties;
    },
    /** Places one order after another until `end` is called, which returns the ids of all orders. */
    orderMeanwhile: () => {
      let isEnded = false;
      const placing = (async (): Promise<number[]> => {
        const ids: number[] = [];
        while (!isEnded) {
          const body = { items: [{ item_id: firstDish, quantity: 1 }], table: '1' };
          const { status, body: order } = await asManager('POST', '/orders', { body });
          if (status === 201) ids.push(order.id);
        }
        return ids;
      })();
      return {
        end: (): Promise<number[]> => {
          isEnded = true;
          return placing;
        },
      };
    },
    /** Makes changes that a restored backup must undo, for these parties: prices rise, orders are prepared, guests leave. */
    change: async (parties: readonly Party[]): Promise<void> => {
      for (const { ids, table } of parties) {
        for (const id of ids.dish)
          await asManager('PUT', `/menu/${id}`, { body: { name: randomUUID(), price: '99.00' } });
        for (const id of ids.order) await asManager('PUT', `/orders/${id}`, { body: { status: 'preparing' } });
        await asManager('POST', `/tables/${table}/close`);
      }
    },
    /** Returns a function that waits for the next checkpoint that the transfers service logs from now on. */
    watchCheckpoints: () => {
      const log = stack.services.transfers.output;
      const from = log().length;
      return () =>
        until(() => /"jws":"([^"]+)"/.exec(log().slice(from))?.[1] ?? null, {
          what: 'a checkpoint in the log',
          timeoutMs: 20_000,
        });
    },
  };
}
