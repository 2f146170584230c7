import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { AnyEndpoint, ExampleNeed } from '@comanda/contracts/endpoint';
import { endpoints } from '@comanda/contracts/registry';
import { exampleRequest } from '@comanda/shared/api-docs/code-samples';
import { startFakeBank, type FakeBank } from '@comanda/local-stack/bank/fake-bank';
import { caller, created, type Call } from '@comanda/testing/call';
import { newEmail } from '@comanda/testing/credentials';
import { startNewRestaurant, type NewRestaurant } from '@comanda/testing/new-restaurant';
import { startStackHere, type Stack } from '@comanda/testing/stack';
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
import { createDayNeeds } from './examples/day.ts';
import { createPixNeeds } from './examples/pix.ts';
import { consentFor, fill } from './examples/request.ts';
import { createStaff, type Staff } from './examples/staff.ts';

// Sends every example request from the API documents to a running restaurant. The only values that are replaced are those that a
// restaurant issues itself: ids, tokens and table codes.

/** The credentials that the examples use. */
const demo = { email: 'customer@comanda.test', password: 'mesa-farofa-violao' };

let stack: Stack;
let bank: FakeBank;
let manager: Call;
let staff: Staff;
let newRestaurant: NewRestaurant | undefined;
let guestTables = 0;
beforeAll(async () => {
  bank = await startFakeBank();
  stack = await startStackHere('examples', { ...withoutLimits, ...bank.settings });
  manager = caller(stack.gatewayUrl, { token: stack.managerToken });
  created(await choosePin(manager));
  staff = createStaff({ stack, manager, password: demo.password });
  created(await stack.call('POST', '/auth/register', { body: { name: 'Ana', ...demo } }));
});
afterAll(() => Promise.all([newRestaurant?.close(), stack.close(), bank.close()]));

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
/** Removes the limit on the dish's portions, because another example may have set one. */
async function offerFeijoada(): Promise<void> {
  const body = { available: true, portions_left: null };
  await manager('PUT', `/menu/${await findDish()}/availability`, { body });
}
/** Ends the pause, because another example may have started one. */
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
/** Seats a guest at a new table, and returns the guest's calls. */
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

/** Replacements in an example: the caller, and the ids and tokens that only this restaurant can issue. */
type Changes = {
  call?: Call;
  params?: Record<string, number | string>;
  /** Fields for the request's body. Fields that the example does not have are ignored. */
  body?: Record<string, unknown>;
};

/** Places an order for this customer and reserves the whole bill. Returns the bill's id and the payment. */
async function reservePayment(call: Call) {
  await endPause();
  await offerFeijoada();
  const items = [{ name: 'Feijoada', quantity: 2 }];
  const { bill_id: id } = created(await call('POST', '/orders', { body: { items } }));
  const { remaining } = (await call('GET', `/bills/${id}`)).body;
  const body = { method: 'account', part: { rest: true }, expected_amount: remaining };
  return { id, payment: created(await call('POST', `/bills/${id}/payments`, { body })) };
}
async function reservePaymentFromAccount() {
  const { call } = await customerWithPin();
  const from_account_id = await paidAccount(call);
  const { id, payment } = await reservePayment(call);
  const isPaid = async (): Promise<boolean> =>
    (await call('GET', `/bills/${id}/payments/${payment.id}`)).body.status === 'paid';
  // The payment becomes paid only when orders has the key that verifies the first receipt.
  const untilPaid = () => until(isPaid, { what: 'orders to know of the payment', timeoutMs: 30_000 });
  return { call, body: { payment_id: payment.id, from_account_id, amount: payment.total, currency: 'BRL' }, untilPaid };
}

const prepare: Readonly<Record<ExampleNeed, () => Promise<Changes>>> = {
  ...createDayNeeds(() => manager),
  ...createPixNeeds({ manager: () => manager, newBill, bank: () => bank }),
  'a PIN': async () => ({ call: (await customerWithPin()).call }),
  'a bill': async () => {
    const { id, remaining } = await newBill();
    return { call: manager, params: { id }, body: { expected_amount: remaining } };
  },
  'a call': async () => {
    const { id } = created(await (await newGuest())('POST', '/calls', { body: { kind: 'bill' } }));
    return { call: manager, params: { id } };
  },
  'a closed bill': async () => {
    const bill = await newBill();
    await payRest(bill);
    await manager('POST', `/bills/${bill.id}/close`, { body: {} });
    return { params: { id: bill.id } };
  },
  'a closed table': async () => {
    await putTable();
    await manager('POST', '/tables/12/close');
    return {};
  },
  "a customer's account": async () => ({ params: { id: await openAccount((await newCustomer()).call) } }),
  'a discount': async () => {
    const { id } = await newBill();
    const body = { amount: '5.00', reason: 'Waited too long' };
    created(await manager('POST', `/bills/${id}/discounts`, { body }));
    return { params: { id } };
  },
  'a dish': async () => ({ params: { id: await findDish() } }),
  'a dish on offer': async () => {
    await Promise.all([endPause(), offerFeijoada()]);
    return {};
  },
  'a guest': async () => ({ call: await newGuest() }),
  'a menu without the dish': async () => {
    await manager('DELETE', `/menu/${await findDish()}`);
    return {};
  },
  'a paid bill': async () => {
    const bill = await newBill();
    return { call: manager, params: { id: bill.id, payment_id: await payRest(bill) } };
  },
  'a payment from an account': async () => {
    const { call, body, untilPaid } = await reservePaymentFromAccount();
    const headers = { 'x-step-up-token': await consentTo(call, { type: 'bill_payment', ...body }) };
    created(await call('POST', '/accounts/bill-payments', { body, headers }));
    await untilPaid();
    return { body };
  },
  'a picture': async () => {
    const { body } = await manager('POST', '/menu-pictures', { file: tinyPicture() });
    return { params: { picture: body.image_url.split('/').at(-1) } };
  },
  'a refresh token': async () => ({ body: { refresh_token: (await newCustomer()).refreshToken } }),
  'a refresh token and a table code': async () => {
    const { refreshToken } = await newCustomer();
    return { body: { refresh_token: refreshToken, table_token: (await putTable()).table_token } };
  },
  'a reserved payment': async () => {
    const { call } = await newCustomer();
    const { id, payment } = await reservePayment(call);
    return { call, params: { id, payment_id: payment.id } };
  },
  'a reserved payment from an account': reservePaymentFromAccount,
  'a restaurant without a manager': async () => {
    newRestaurant = await startNewRestaurant('examples-new');
    return { call: newRestaurant.call, body: { code: await newRestaurant.createSetupCode() } };
  },
  'a session': async () => {
    const { call } = await newCustomer();
    const { body } = await call('GET', '/auth/sessions');
    return { call, params: { id: body[0].id } };
  },
  'a table': () => putTable().then(() => ({})),
  'a table code': async () => ({ body: { table_token: (await putTable()).table_token } }),
  'a table with guests': async () => {
    await putTable();
    await putTable('14');
    await manager('POST', '/tables/14/close');
    await manager('POST', '/tables/12/open');
    return {};
  },
  'a tablet': async () => ({ params: { id: (await staff.registerTablet()).tablet.id } }),
  'a tablet and a waiter': async () => {
    const { id } = await staff.newWaiter();
    return { body: { tablet_credential: (await staff.registerTablet()).tablet_credential, user_id: id } };
  },
  // The example starts a pause, which must end soon, because other examples place orders.
  'a time in the future': async () => ({ body: { paused_until: new Date(Date.now() + 1000).toISOString() } }),
  'a transfer': async () => {
    const { call, accounts } = await accountsToTransfer();
    const headers = await consent(call, transferKey);
    const body = { ...accounts, amount: '12.50' };
    const { id } = created(await call('POST', '/accounts/internal-transfers', { headers, body }));
    return { call, params: { id } };
  },
  'a user': async () => ({ params: { id: (await newCustomer()).id } }),
  'a user with a PIN': async () => ({ params: { id: (await customerWithPin()).id } }),
  'a waiter': async () => ({ call: (await staff.newWaiter()).call }),
  'an account': async () => {
    const { call } = await newCustomer();
    return { call, params: { id: await openAccount(call) } };
  },
  'an approved reset': async () => {
    const { call, id } = await customerWithPin();
    const headers = await consent(manager, resetKey);
    created(await manager('POST', `/users/${id}/transaction-password-resets`, { headers }));
    return { call };
  },
  'an invitation': async () => {
    const { user, invitation_token } = await staff.invite();
    return { params: { id: user.id }, body: { invitation_token } };
  },
  'an option group': async () => {
    const body = { name: 'Ponto', min: 0, max: 1, options: [{ name: 'Ao ponto', price: '0' }] };
    const { id, options } = created(await manager('POST', '/option-groups', { body }));
    return { params: { id, option_id: options[0].id } };
  },
  'an order': async () => {
    const { id, items } = await placeOrder();
    const item_id = items[0]?.id ?? 0;
    return { call: manager, params: { id, item_id }, body: { order_ids: [id], items: [{ id: item_id, quantity: 1 }] } };
  },
  'an unused email address': async () => ({ body: staff.newInvitation() }),
  'another dish': async () => ({ params: { id: await findDish('Moqueca') } }),
  'the password in the example': async () => ({ call: (await newCustomer('my-password-until-now')).call }),
  // The example would stop transfers, which other examples need.
  'transfers that continue': async () => ({ body: { stopped: false } }),
  'two accounts': async () => {
    const { call, accounts } = await accountsToTransfer();
    return { call, body: accounts };
  },
  'two bills': async () => ({ params: { id: (await newBill()).id }, body: { into: (await newBill()).id } }),
  'two tables': async () => {
    await putTable();
    await putTable('14');
    return {};
  },
};

/** Returns the caller for examples that need no special one: a customer, or a manager if customers may not make the call. */
async function usualCaller({ who }: AnyEndpoint): Promise<Call> {
  if (who === 'anyone') return stack.call;
  return who.includes('customer') ? (await newCustomer()).call : manager;
}
describe('in the documented examples', () => {
  test.each([...endpoints])('the request for $name succeeds', async (contract: AnyEndpoint) => {
    const example = exampleRequest(contract);
    const changes: Changes = contract.exampleNeeds ? await prepare[contract.exampleNeeds]() : {};
    const call = changes.call ?? (await usualCaller(contract));
    const params = { ...example.params, ...changes.params };
    const known = Object.entries(changes.body ?? {}).filter(([name]) => Object.hasOwn(example.body ?? {}, name));
    const body = example.body && { ...example.body, ...Object.fromEntries(known) };

    const path = fill(contract.path, params) + example.search;

    const response = await call(contract.method, path, {
      ...(body && { body }),
      ...(contract.upload && { file: tinyPicture() }),
      headers: await consentFor(contract, call, { ...params, ...body }),
    });

    const isSuccess = response.status < 300 && Object.hasOwn(contract.responses, response.status);
    expect(isSuccess ? 'success' : response.body).toBe('success');
  });
});
