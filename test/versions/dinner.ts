import { randomUUID } from 'node:crypto';
import { pin } from '@comanda/testing/step-up-calls';

// oxlint-disable-next-line typescript/no-explicit-any -- another release may answer more than today's contracts say
type Body = any;
type Sent = { body?: object; headers?: Record<string, string> };
type Expected = { status: number; code?: string };
/** Makes a call and returns the response's body. An unexpected response is recorded as a failure; `what` describes the call. */
type Call = (what: string, sent?: Sent, expected?: Expected) => Promise<Body>;
type Person = { call: Call; token: string };
type Customer = Person & { account: number; id: number };

/** Everything that guests and staff have observed. */
export type Evening = {
  calls: number;
  /** A sentence for each call that got an unexpected response. */
  failures: string[];
  /** The ids of the orders that were delivered, of the transfers that were posted, and of the bills that were closed. */
  delivered: number[];
  transfers: number[];
  closed: number[];
};
export type Restaurant = Awaited<ReturnType<typeof openRestaurant>>;

export const newEvening = (): Evening => ({ calls: 0, failures: [], delivered: [], transfers: [], closed: [] });
const guestTable = '12';
const dishPrice = '20.00';

const maxAttempts = 10;
type Answered = { response: number; text: string; answered: Body };

/**
 * Sends a request. If it has an idempotency key, retries it while the outcome is unknown, because a service on a busy machine may
 * exceed its time limit. A call that a replaced service dropped fails in another way, and is not retried.
 */
async function fetchInTime(url: string, request: RequestInit & { headers: Record<string, string> }): Promise<Answered> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(url, request).catch((error: unknown) => ({
      status: 0,
      text: async () => String(error),
    }));
    const text = await response.text();
    const answered = readJson(text);
    const isLate = response.status === 503 && answered?.outcome === 'unknown' && 'idempotency-key' in request.headers;
    if (!isLate || attempt === maxAttempts) return { response: response.status, text, answered };
  }
}

function readJson(text: string): Body {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/** Returns a function that makes calls through the gateway at `url`, and counts them in `evening`. */
function caller({ url, evening, token }: { url: string; evening: Evening; token?: string }): Call {
  return async (what, { body, headers = {} } = {}, { status = 200, code } = {} as Expected) => {
    const [method = '', path = ''] = what.split(' ');
    evening.calls++;
    const request = {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    };
    const { response, text, answered } = await fetchInTime(url + path, request);
    if (response !== status || (code !== undefined && answered?.code !== code)) {
      const failure = `${what} was answered ${response}, not ${status} ${code ?? ''}: ${text.slice(0, 300)}`;
      evening.failures.push(failure);
      throw new Error(failure);
    }
    return answered;
  };
}

const created: Expected = { status: 201 };
/** Returns headers with an idempotency key, which makes the call safe to retry. */
const withKey = () => ({ headers: { 'idempotency-key': randomUUID() } });
const choosePin = (call: Call): Promise<Body> =>
  call('POST /security/transaction-password', { body: { transaction_password: pin, confirmation: pin } }, created);

/** Returns headers for a call with a step-up token for exactly these `details`, after a PIN check. */
async function consent(
  call: Call,
  endpointKey: string,
  details?: object,
): Promise<{ headers: Record<string, string> }> {
  const { step_up_token: token } = await call(
    'POST /security/step-up',
    {
      body: {
        endpoint_key: endpointKey,
        transaction_password: pin,
        ...(details && { authorization_details: [{ type: endpointKey.replace('.create', ''), ...details }] }),
      },
    },
    created,
  );
  return { headers: { 'x-step-up-token': token, 'idempotency-key': randomUUID() } };
}

/** Opens a restaurant: adds dishes and a table, and signs in the manager and two customers who have a PIN and money. */
export async function openRestaurant(options: {
  url: string;
  evening: Evening;
  manager: { email: string; password: string };
}) {
  const { url, evening } = options;
  const anyone = caller({ url, evening });
  const signIn = async (body: object): Promise<Person> => {
    const { access_token: token } = await anyone('POST /auth/login', { body });
    return { token, call: caller({ url, evening, token }) };
  };
  const manager = await signIn(options.manager);
  await choosePin(manager.call);
  const addDish = async (name: string): Promise<number> =>
    (await manager.call('POST /menu', { body: { name: `${name} ${randomUUID()}`, price: dishPrice } }, created)).id;
  const dishes = [await addDish('Feijoada'), await addDish('Moqueca')] as const;
  const { table_token: tableToken } = await manager.call(`PUT /tables/${guestTable}`, {}, created);

  async function openAccount(name: string): Promise<Customer> {
    const email = `${randomUUID()}@example.test`;
    const password = 'a-password-for-tests';
    const { id } = await anyone('POST /auth/register', { body: { name, email, password } }, created);
    const customer = await signIn({ email, password });
    await choosePin(customer.call);
    const account = (await customer.call('POST /accounts', { body: {} }, created)).id as number;
    const deposit = { body: { amount: '100000.00' }, ...(await consent(manager.call, 'account_deposit.create')) };
    await manager.call(`POST /accounts/${account}/deposits`, deposit, created);
    return { ...customer, account, id };
  }
  const ana = await openAccount('Ana');
  const bruno = await openAccount('Bruno');
  return { url, evening, anyone, manager, ana, bruno, dishes, tableToken: tableToken as string };
}

/**
 * Serves a guest, from the order until the bill is paid and closed, and makes a transfer.
 * @throws Error at the first call that fails
 */
export async function dine(restaurant: Restaurant): Promise<void> {
  const { evening, manager, ana, bruno } = restaurant;
  const guest = await sitDown(restaurant);
  const body = { items: restaurant.dishes.map((item_id) => ({ item_id, quantity: 1 })) };
  const sent = { body, ...withKey() };
  const order = await guest.call('POST /orders', sent, created);
  await guest.call('POST /orders', sent, created);
  await guest.call('POST /orders', { body: { items: [] } }, { status: 400, code: 'validation_failed' });
  for (const status of ['preparing', 'ready', 'delivered'])
    await manager.call(`PUT /orders/${order.id}`, { body: { status } });
  evening.delivered.push(order.id);

  await payBill(restaurant, guest, order.bill_id);
  await manager.call(`POST /tables/${guestTable}/close`, {}, { status: 204 });
  await transfer({ evening, from: ana, to: bruno });
  await bruno.call(
    'POST /accounts/internal-transfers',
    { body: { from_account_id: bruno.account, to_account_id: ana.account, amount: '1.00' } },
    { status: 401, code: 'step_up_required' },
  );
  await manager.call('GET /orders');
  await manager.call(`GET /orders/${order.id}/history`);
  await ana.call(`GET /accounts/${ana.account}/entries`);
}

/** Leaves a restaurant in the middle of an evening: with open bills, one of them partly paid, and with a call for a waiter. */
export async function leaveOpen(restaurant: Restaurant): Promise<void> {
  const { manager, ana, dishes } = restaurant;
  const items = [{ item_id: dishes[0], quantity: 2, remarks: 'sem pimenta' }];
  await ana.call('POST /orders', { body: { items }, ...withKey() }, created);
  const settings = { service_charge: { rate: '10.00', optional: true }, tip_suggestions: ['5.00'] };
  await manager.call('PUT /restaurant', { body: settings });
  const guest = await sitDown(restaurant);
  const order = await guest.call('POST /orders', { body: { items }, ...withKey() }, created);
  await manager.call(`PUT /orders/${order.id}`, { body: { status: 'preparing' } });
  const discount = { percent: '10.00', reason: 'A long wait' };
  await manager.call(`POST /bills/${order.bill_id}/discounts`, { body: discount, ...withKey() }, created);
  const remaining = Number((await manager.call(`GET /bills/${order.bill_id}`)).remaining);
  const share = { method: 'card', part: { shares: 1, of: 2 }, expected_amount: (remaining / 2).toFixed(2) };
  await manager.call(`POST /bills/${order.bill_id}/payments`, { body: share, ...withKey() }, created);
  await guest.call('POST /calls', { body: { kind: 'waiter' } }, created);
  const cancelled = await ana.call('POST /orders', { body: { items }, ...withKey() }, created);
  await ana.call(`PUT /orders/${cancelled.id}`, { body: { status: 'cancelled' } });
  await manager.call(`PUT /menu/${dishes[1]}/availability`, { body: { available: true, portions_left: 7 } });
}

async function sitDown({ url, evening, anyone, tableToken }: Restaurant): Promise<Person> {
  const seated = await anyone('POST /auth/guest', { body: { table_token: tableToken, name: 'Gil' } });
  return { token: seated.access_token, call: caller({ url, evening, token: seated.access_token }) };
}

/**
 * Lets Ana pay for an order of her own from her account. The manager then records half of the guest's bill as paid by card and the
 * rest as paid in cash, and closes both bills.
 */
async function payBill({ evening, manager, ana, dishes }: Restaurant, guest: Person, bill: number): Promise<void> {
  const items = [{ item_id: dishes[0], quantity: 1 }];
  const share = await ana.call('POST /orders', { body: { items }, ...withKey() }, created);
  await payFromAccount(ana, share.bill_id);
  await manager.call(`POST /bills/${share.bill_id}/close`, { body: {} });

  const { remaining } = await guest.call(`GET /bills/${bill}`);
  const half = (Number(remaining) / 2).toFixed(2);
  const payment = (part: object, method: string) => ({ body: { method, part, expected_amount: half }, ...withKey() });
  await manager.call(`POST /bills/${bill}/payments`, payment({ shares: 1, of: 2 }, 'card'), created);
  await manager.call(`POST /bills/${bill}/payments`, payment({ rest: true }, 'cash'), created);
  await manager.call(`POST /bills/${bill}/close`, { body: {} });
  evening.closed.push(bill, share.bill_id);
}

/** Pays the rest of a bill from an account, with the PIN, and waits until the bill shows the payment. */
async function payFromAccount({ call, account }: Customer, bill: number): Promise<void> {
  const { remaining } = await call(`GET /bills/${bill}`);
  const reserved = { method: 'account', part: { rest: true }, expected_amount: remaining };
  const { id, total } = await call(`POST /bills/${bill}/payments`, { body: reserved, ...withKey() }, created);
  const what = { payment_id: id, from_account_id: account, amount: total, currency: 'BRL' };
  const allowed = await consent(call, 'bill_payment.create', what);
  await call('POST /accounts/bill-payments', { body: what, ...allowed }, created);
  for (let asked = 0; (await call(`GET /bills/${bill}/payments/${id}`)).status !== 'paid'; asked++)
    if (asked > 200) throw new Error(`The payment ${id} was posted, and bill ${bill} does not say that it is paid.`);
}

async function transfer({ evening, from, to }: { evening: Evening; from: Customer; to: Customer }): Promise<void> {
  const what = { from_account_id: from.account, to_account_id: to.account, amount: '0.50', currency: 'BRL' };
  const allowed = await consent(from.call, 'internal_transfer.create', what);
  const posted = await from.call('POST /accounts/internal-transfers', { body: what, ...allowed }, created);
  evening.transfers.push(posted.id);
}
