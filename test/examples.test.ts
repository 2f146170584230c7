import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { AnyEndpoint } from '@comanda/contracts/endpoint';
import { endpoints } from '@comanda/contracts/registry';
import { exampleRequest } from '@comanda/shared/api-docs/code-samples';
import { caller, created, type Call } from '@comanda/testing/call';
import { newEmail } from '@comanda/testing/credentials';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { startStack, type Stack } from '@comanda/testing/stack';
import {
  choosePin,
  consentTo,
  depositKey,
  openAccount,
  resetKey,
  tokenFor,
  transferKey,
  withoutLimits,
} from '@comanda/testing/step-up-calls';
import { tinyPicture } from '@comanda/testing/tiny-picture';
import { until } from '@comanda/testing/until';

// Every request in the documents is sent to a running restaurant as documented. Only what the restaurant itself issued (ids,
// tokens, table codes) replaces values in the example.

/** The sign-in data that the examples use. */
const demo = { email: 'customer@comanda.test', password: 'mesa-farofa-violao' };

let stack: Stack;
let manager: Call;
let guestTables = 0;
beforeAll(async () => {
  stack = await startStack(await isolatedServers('examples'), withoutLimits);
  manager = caller(stack.gatewayUrl, { token: stack.managerToken });
  created(await choosePin(manager));
  created(await stack.call('POST', '/auth/register', { body: { name: 'Ana', ...demo } }));
});
afterAll(() => stack.close());

type Customer = { call: Call; id: number; refreshToken: string };
async function newCustomer(password = demo.password): Promise<Customer> {
  const user = { email: newEmail('ana'), password };
  const { id } = created(await stack.call('POST', '/auth/register', { body: { name: 'Ana', ...user } }));
  const { body } = await stack.call('POST', '/auth/login', { body: user });
  const call = caller(stack.gatewayUrl, { token: body.access_token });
  return { call, id, refreshToken: body.refresh_token };
}
async function customerWithPin(): Promise<Customer> {
  const customer = await newCustomer();
  created(await choosePin(customer.call));
  return customer;
}
const consent = async (call: Call, key: string) => ({ 'x-step-up-token': await tokenFor(call, key) });
async function findDish(name = 'Feijoada'): Promise<number> {
  const { body } = await stack.call('GET', '/menu');
  const found = (body as { id: number; name: string }[]).find((dish) => dish.name === name);
  return found?.id ?? created(await manager('POST', '/menu', { body: { name, price: '32.50' } })).id;
}
/** Removes the portion limit that other examples may have set. */
async function offerFeijoada(): Promise<void> {
  const body = { available: true, portions_left: null };
  await manager('PUT', `/menu/${await findDish()}/availability`, { body });
}
/** Ends the pause that other examples may have set. */
async function endPause(): Promise<void> {
  const { status, text } = await manager('PUT', '/ordering', { body: {} });
  if (status !== 200) throw new Error(text);
}
const placeOrder = async () => {
  await offerFeijoada();
  const items = [{ name: 'Feijoada', quantity: 2 }];
  return created(await manager('POST', '/orders', { body: { items, table: '12' } })) as {
    id: number;
    items: { id: number }[];
    bill_id: number;
  };
};
/** Creates a bill with one order. */
async function newBill() {
  const { bill_id: id } = await placeOrder();
  return (await manager('GET', `/bills/${id}`)).body as { id: number; remaining: string };
}
const payRest = async ({ id, remaining }: { id: number; remaining: string }): Promise<number> => {
  const body = { method: 'card', part: { rest: true }, expected_amount: remaining };
  return created(await manager('POST', `/bills/${id}/payments`, { body })).id;
};
const putTable = async (table = '12') => (await manager('PUT', `/tables/${table}`)).body;
/** Seats a guest at a new table. */
async function newGuest(): Promise<Call> {
  const { table_token } = await putTable(`guest-${++guestTables}`);
  const { body } = await stack.call('POST', '/auth/guest', { body: { table_token } });
  return caller(stack.gatewayUrl, { token: body.access_token });
}
async function paidAccount(owner: Call): Promise<number> {
  const id = await openAccount(owner);
  const headers = await consent(manager, depositKey);
  created(await manager('POST', `/accounts/${id}/deposits`, { headers, body: { amount: '1000.00' } }));
  return id;
}
async function accountsToTransfer() {
  const { call } = await customerWithPin();
  const [from, to] = [await paidAccount(call), await openAccount((await newCustomer()).call)];
  return { call, accounts: { from_account_id: from, to_account_id: to } };
}

type Sent = {
  call?: Call;
  params?: Record<string, number | string>;
  /** The body fields that only this restaurant can know. */
  body?: Record<string, unknown>;
  file?: ReturnType<typeof tinyPicture>;
  headers?: Record<string, string>;
};
const asManager = () => ({ call: manager });
const asCustomer = async () => ({ call: (await newCustomer()).call });
const withTable = async () => {
  await putTable();
  return { call: manager };
};
const withDish = async () => ({ call: manager, params: { id: await findDish() } });
const withBill = async () => ({ call: manager, params: { id: (await newBill()).id } });
const withPaidBill = async () => {
  const bill = await newBill();
  return { call: manager, params: { id: bill.id, payment_id: await payRest(bill) } };
};
/** Places an order for this customer and reserves its whole bill. */
async function reservePayment(call: Call) {
  await endPause();
  await offerFeijoada();
  const items = [{ name: 'Feijoada', quantity: 2 }];
  const { bill_id: id } = created(await call('POST', '/orders', { body: { items } }));
  const { remaining } = (await call('GET', `/bills/${id}`)).body;
  const body = { method: 'account', part: { rest: true }, expected_amount: remaining };
  return { id, payment: created(await call('POST', `/bills/${id}/payments`, { body })) };
}
const withReservation = async () => {
  const { call } = await newCustomer();
  const { id, payment } = await reservePayment(call);
  return { call, params: { id, payment_id: payment.id } };
};
async function paymentFromAccount() {
  const { call } = await customerWithPin();
  const from_account_id = await paidAccount(call);
  const { id, payment } = await reservePayment(call);
  const isPaid = async (): Promise<boolean> =>
    (await call('GET', `/bills/${id}/payments/${payment.id}`)).body.status === 'paid';
  const body = { payment_id: payment.id, from_account_id, amount: payment.total, currency: 'BRL' };
  const headers = { 'x-step-up-token': await consentTo(call, { type: 'bill_payment', ...body }) };
  // Waits until orders knows the key of the first receipt.
  const untilPaid = () => until(isPaid, { what: 'orders to know of the payment', timeoutMs: 30_000 });
  return { call, body, headers, untilPaid };
}
const withOrder = async () => ({ call: manager, params: { id: (await placeOrder()).id } });

const newInvitation = () => ({ name: 'Rui', email: `rui-${crypto.randomUUID()}@example.com`, role: 'waiter' });
const invite = async () => {
  const headers = await consent(manager, 'user.manage');
  return created(await manager('POST', '/invitations', { body: newInvitation(), headers }));
};

/** Invites a waiter who sets a password and a tablet PIN. */
async function waiterWithTabletPin() {
  const { user, invitation_token } = await invite();
  created(
    await stack.call('POST', '/auth/invitation/acceptance', { body: { invitation_token, password: demo.password } }),
  );
  const { body } = await stack.call('POST', '/auth/login', { body: { email: user.email, password: demo.password } });
  const call = caller(stack.gatewayUrl, { token: body.access_token });
  await call('PUT', '/auth/tablet-pin', { body: { password: demo.password, tablet_pin: '7391' } });
  return { id: user.id as number, call };
}
const registerTablet = async () => {
  const headers = await consent(manager, 'tablet.register');
  return created(await manager('POST', '/tablets', { body: { name: 'Kitchen pass' }, headers }));
};

/** What each operation needs before its example can succeed. */
const arrangements: Record<string, () => Sent | Promise<Sent>> = {
  register: () => ({}),
  login: () => ({}),
  beGuest: async () => ({ body: { table_token: (await putTable()).table_token } }),
  takeSeat: async () => {
    const { refreshToken } = await newCustomer();
    return { body: { refresh_token: refreshToken, table_token: (await putTable()).table_token } };
  },
  refresh: async () => ({ body: { refresh_token: (await newCustomer()).refreshToken } }),
  logout: async () => ({ body: { refresh_token: (await newCustomer()).refreshToken } }),
  me: asCustomer,
  changePassword: async () => ({ call: (await newCustomer('my-password-until-now')).call }),
  endSessions: asCustomer,
  listSessions: asCustomer,
  endOneSession: async () => {
    const { call } = await newCustomer();
    const { body } = await call('GET', '/auth/sessions');
    return { call, params: { id: body[0].id } };
  },
  createUser: async () => ({ call: manager, headers: await consent(manager, 'user.manage') }),
  inviteUser: async () => ({ call: manager, body: newInvitation(), headers: await consent(manager, 'user.manage') }),
  withdrawInvitation: async () => ({ call: manager, params: { id: (await invite()).user.id } }),
  readInvitation: async () => ({ body: { invitation_token: (await invite()).invitation_token } }),
  acceptInvitation: async () => ({
    body: { invitation_token: (await invite()).invitation_token, password: 'a-long-new-secret' },
  }),
  registerTablet: async () => ({ call: manager, headers: await consent(manager, 'tablet.register') }),
  listTablets: async () => {
    await registerTablet();
    return { call: manager };
  },
  revokeTablet: async () => ({ call: manager, params: { id: (await registerTablet()).tablet.id } }),
  readTablet: async () => {
    await waiterWithTabletPin();
    return { body: { tablet_credential: (await registerTablet()).tablet_credential } };
  },
  signInOnTablet: async () => {
    const { id } = await waiterWithTabletPin();
    return { body: { tablet_credential: (await registerTablet()).tablet_credential, user_id: id } };
  },
  setTabletPin: async () => ({ call: (await waiterWithTabletPin()).call }),
  listUsers: asManager,
  getUser: async () => ({ call: manager, params: { id: (await newCustomer()).id } }),
  updateUser: async () => {
    const { id } = await newCustomer();
    return { call: manager, params: { id }, headers: await consent(manager, 'user.manage') };
  },
  listTables: withTable,
  putTable: asManager,
  deleteTable: withTable,
  openTable: withTable,
  closeTable: withTable,
  cleanTable: async () => {
    await putTable();
    await manager('POST', '/tables/12/close');
    return { call: manager };
  },
  moveTable: async () => {
    await putTable();
    await putTable('14');
    await manager('POST', '/tables/14/close');
    const { body } = await manager('POST', '/tables/12/open');
    return { call: manager, body: { seating: body.seating } };
  },
  joinTables: async () => {
    await putTable('14');
    return withTable();
  },
  getStops: () => ({}),
  // Other examples need what this example would pause.
  putStop: async () => ({ call: manager, body: { stopped: false }, headers: await consent(manager, 'stop.manage') }),
  jwks: () => ({}),
  listMenu: () => ({}),
  getMenuItem: async () => ({ params: { id: await findDish() } }),
  createMenuItem: async () => {
    await manager('DELETE', `/menu/${await findDish()}`);
    return { call: manager };
  },
  updateMenuItem: withDish,
  deleteMenuItem: async () => ({ call: manager, params: { id: await findDish('Moqueca') } }),
  setAvailability: withDish,
  getOrdering: () => ({}),
  addMenuPicture: () => ({ call: manager, file: tinyPicture() }),
  getMenuPicture: async () => {
    const { body } = await manager('POST', '/menu-pictures', { file: tinyPicture() });
    return { params: { picture: body.image_url.split('/').at(-1) } };
  },
  listMenuChanges: asManager,
  // The date in the example has passed, so the pause ends a moment later.
  putOrdering: () => ({ call: manager, body: { paused_until: new Date(Date.now() + 1000).toISOString() } }),
  getRestaurant: () => ({}),
  putRestaurant: asManager,
  listBills: asManager,
  getBill: withBill,
  getBillHistory: withBill,
  giveDiscount: withBill,
  takeDiscountAway: async () => {
    const sent = await withBill();
    const body = { amount: '5.00', reason: 'Waited too long' };
    created(await manager('POST', `/bills/${sent.params.id}/discounts`, { body }));
    return sent;
  },
  setServiceCharge: withBill,
  setBillTable: withBill,
  mergeBill: async () => ({ ...(await withBill()), body: { into: (await newBill()).id } }),
  closeBill: withPaidBill,
  reopenBill: async () => {
    const sent = await withPaidBill();
    await manager('POST', `/bills/${sent.params.id}/close`, { body: {} });
    return sent;
  },
  payBill: async () => {
    const { id, remaining } = await newBill();
    return { call: manager, params: { id }, body: { expected_amount: remaining } };
  },
  getBillPayment: withPaidBill,
  cancelBillPayment: withReservation,
  refundBillPayment: withPaidBill,
  listExceptions: asManager,
  call: async () => ({ call: await newGuest() }),
  listCalls: asManager,
  updateCall: async () => {
    const { id } = created(await (await newGuest())('POST', '/calls', { body: { kind: 'bill' } }));
    return { call: manager, params: { id } };
  },
  placeOrder: async () => {
    await endPause();
    await offerFeijoada();
    return asCustomer();
  },
  getOrder: withOrder,
  listOrders: asManager,
  updateOrder: withOrder,
  updateOrderItem: async () => {
    const { id, items } = await placeOrder();
    return { call: manager, params: { id, item_id: items[0]?.id ?? 0 } };
  },
  moveOrder: withOrder,
  markAllergiesRead: withOrder,
  markSeen: async () => ({ call: manager, body: { order_ids: [(await placeOrder()).id] } }),
  getOrderHistory: withOrder,
  getOpenApi: () => ({}),
  getAsyncApi: () => ({}),
  readDocs: () => ({}),
  getProblem: () => ({}),
  openAccount: asCustomer,
  listAccounts: asCustomer,
  getAccount: async () => {
    const { call } = await newCustomer();
    return { call, params: { id: await openAccount(call) } };
  },
  getPayee: async () => {
    const { call } = await newCustomer();
    return { call, params: { id: await openAccount(call) } };
  },
  listEntries: async () => {
    const { call } = await newCustomer();
    return { call, params: { id: await openAccount(call) } };
  },
  deposit: async () => {
    const id = await openAccount((await newCustomer()).call);
    return { call: manager, params: { id }, headers: await consent(manager, depositKey) };
  },
  transferMoney: async () => {
    const { call, accounts } = await accountsToTransfer();
    return { call, body: accounts, headers: await consent(call, transferKey) };
  },
  getTransfer: async () => {
    const { call, accounts } = await accountsToTransfer();
    const headers = await consent(call, transferKey);
    const body = { ...accounts, amount: '12.50' };
    const { id } = created(await call('POST', '/accounts/internal-transfers', { headers, body }));
    return { call, params: { id } };
  },
  payBillFromAccount: paymentFromAccount,
  refundBillPaymentToAccount: async () => {
    const { call, body, headers, untilPaid } = await paymentFromAccount();
    created(await call('POST', '/accounts/bill-payments', { body, headers }));
    await untilPaid();
    const { from_account_id: _paidFrom, ...refund } = body;
    const token = await consentTo(manager, { type: 'bill_refund', ...refund });
    return { call: manager, body: refund, headers: { 'x-step-up-token': token } };
  },
  createTransactionPassword: asCustomer,
  transactionPassword: asCustomer,
  changeTransactionPassword: customerWithPin,
  approveTransactionPasswordReset: async () => {
    const { id } = await customerWithPin();
    return { call: manager, params: { id }, headers: await consent(manager, resetKey) };
  },
  resetTransactionPassword: async () => {
    const { call, id } = await customerWithPin();
    const headers = await consent(manager, resetKey);
    created(await manager('POST', `/users/${id}/transaction-password-resets`, { headers }));
    return { call };
  },
  stepUp: customerWithPin,
  securityEvents: asCustomer,
  auditTrail: asManager,
  listStations: asManager,
  setStation: asManager,
  putStation: asManager,
  reportScreen: asManager,
  listScreens: asManager,
};

const fill = (path: string, params: Record<string, unknown>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(String(params[name])));

describe('the examples in the documents', () => {
  test('every operation has an example that is tested here', () => {
    expect(Object.keys(arrangements).toSorted()).toEqual(endpoints.map(({ name }) => name).toSorted());
  });

  test.each([...endpoints])('the request for $name succeeds', async (contract: AnyEndpoint) => {
    const example = exampleRequest(contract);
    const { call = stack.call, params, body, file, headers } = await (arrangements[contract.name]?.() ?? {});

    const response = await call(contract.method, fill(contract.path, { ...example.params, ...params }), {
      ...(example.body && { body: { ...example.body, ...body } }),
      ...(file && { file }),
      ...(headers && { headers }),
    });

    const isSuccess = response.status < 300 && Object.hasOwn(contract.responses, response.status);
    expect(isSuccess ? 'success' : response.body).toBe('success');
  });
});
