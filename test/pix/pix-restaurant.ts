import { MongoClient, type Document } from 'mongodb';
import { startFakeBank } from '@comanda/local-stack/bank/fake-bank';
import { caller, created, type Call, type Called } from '@comanda/testing/call';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { startStack } from '@comanda/testing/stack';
import { choosePin, consentTo, registerCustomer, withoutLimits } from '@comanda/testing/step-up-calls';
import { until } from '@comanda/testing/until';

// oxlint-disable-next-line typescript/no-explicit-any -- responses are checked against their contract
type Json = any;

export type PixRestaurant = Awaited<ReturnType<typeof openPixRestaurant>>;

/** Starts a restaurant with a fake bank, and returns what tests of Pix do. */
export async function openPixRestaurant(name: string) {
  const bank = await startFakeBank();
  const settings = { ...withoutLimits, ...bank.settings, PIX_ASK_EVERY_S: '1' };
  const servers = await isolatedServers(name);
  const stack = await startStack(servers, settings);
  bank.setHintUrl(`${stack.gatewayUrl}/pix-hints`);
  const mongo = await new MongoClient(servers.mongodbUri).connect();
  const transfers = mongo.db(`${servers.database}_transfers`);
  const manager = caller(stack.gatewayUrl, { token: stack.managerToken });
  const waiter = caller(stack.gatewayUrl, { token: (await stack.auth.waiter()).token });
  const newCustomer = async (customerName: string): Promise<Call> => (await registerCustomer(stack, customerName)).call;
  created(await choosePin(manager));
  created(await manager('POST', '/menu', { body: { name: 'Feijoada', price: '50.00' } }));

  const payers = new Map<number, Call>();
  /** Returns the calls of the customer who has reserved this payment. */
  const payerOf = ({ id }: Json): Call => payers.get(id) ?? manager;
  /** Places an order as a new customer, and reserves the whole bill for a Pix. Each customer may ask for ten codes a minute. */
  const reserve = async (): Promise<Json> => {
    const call = await newCustomer('Ana');
    const order = { items: [{ name: 'Feijoada', quantity: 1 }] };
    const { bill_id: id } = created(await call('POST', '/orders', { body: order }));
    const { remaining } = (await call('GET', `/bills/${id}`)).body;
    const body = { method: 'pix', part: { rest: true }, expected_amount: remaining };
    const payment = created(await call('POST', `/bills/${id}/payments`, { body }));
    payers.set(payment.id, call);
    return payment;
  };
  const ask = (payment: Json, call: Call = payerOf(payment), facts: object = {}): Promise<Called> =>
    call('POST', '/pix/charges', {
      body: { payment_id: payment.id, amount: payment.total, currency: 'BRL', ...facts },
    });
  const charged = async (): Promise<{ payment: Json; charge: Json }> => {
    const payment = await reserve();
    return { payment, charge: created(await ask(payment)) };
  };
  const paymentNow = async ({ bill_id: bill, id }: Json): Promise<Json> =>
    (await manager('GET', `/bills/${bill}/payments/${id}`)).body;
  const receiptNow = async (e2e: string): Promise<Json> => (await manager('GET', `/pix/receipts/${e2e}`)).body;
  const untilStatus = (payment: Json, status: string, timeoutMs = 10_000): Promise<unknown> =>
    until(async () => (await paymentNow(payment)).status === status, {
      what: `the payment to be ${status}`,
      timeoutMs,
    });
  const untilState = (e2e: string, state: string, timeoutMs = 10_000): Promise<unknown> =>
    until(async () => (await receiptNow(e2e)).state === state, { what: `the receipt to be ${state}`, timeoutMs });
  /** Pays a new charge, and waits until it is settled. */
  const settled = async (): Promise<{ payment: Json; e2e: string }> => {
    const { payment, charge } = await charged();
    const e2e = bank.pay({ txid: charge.txid });
    await untilState(e2e, 'settled');
    return { payment, e2e };
  };
  /** Enters the manager's PIN for a refund. */
  const consent = (e2e: string, amount: string): Promise<string> =>
    consentTo(manager, { type: 'pix_refund', end_to_end_id: e2e, amount, currency: 'BRL' });
  type Sent = { key?: string; token?: string };
  const giveBack = async (e2e: string, amount: string, { key, token }: Sent = {}): Promise<Called> =>
    manager('POST', `/pix/receipts/${e2e}/refunds`, {
      body: { amount, currency: 'BRL' },
      headers: {
        'x-step-up-token': token ?? (await consent(e2e, amount)),
        ...(key !== undefined && { 'idempotency-key': key }),
      },
    });

  return {
    bank,
    stack,
    manager,
    waiter,
    payerOf,
    newCustomer,
    reserve,
    ask,
    charged,
    paymentNow,
    receiptNow,
    untilStatus,
    untilState,
    settled,
    consent,
    giveBack,
    /** What transfers has stored. */
    stored: {
      charges: transfers.collection<Document & { _id: number }>('pix_charges'),
      receipts: transfers.collection<Document & { _id: string; next_at?: Date }>('pix_receipts'),
    },
    close: async () => {
      await stack.close();
      await mongo.close();
      await bank.close();
    },
  };
}
