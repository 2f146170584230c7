import { randomUUID } from 'node:crypto';
import { signStatement, type Signer, type StatementType } from '@comanda/shared/crypto/statement';
import { caller, created, type Call, type Called } from '@comanda/testing/call';
import type { OrdersHarness } from './harness.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- responses are checked against their contract
type Json = any;
type ReceiptFacts = { jti: string; payment: Json; kind?: 'bill_payment' | 'bill_refund' };

let lastSeating = 50_000;
let lastTransfer = 0;

export type Diner = { id: number; name: string; call: Call; asService: Call };

/** Creates helpers for account payments: customers with accounts, and the calls that the transfers service makes. */
export function accountPayments(harness: OrdersHarness) {
  const { issuer, url, waiter } = harness;
  /**
   * Creates a customer with an account, seated at a table. `asService` makes calls as the transfers service does, with the
   * customer's token.
   */
  const diner = (id: number, { seating, name = `Diner ${id}` }: { seating?: number; name?: string } = {}): Diner => {
    const seat = seating === undefined ? {} : ({ table: '12', seating, guest: false } as const);
    const claims = { sub: id, role: 'customer', name, ...seat } as const;
    return { id, name, call: harness.as(claims), asService: caller(url, { token: issuer.token(claims) }) };
  };
  const staff = (role: 'waiter' | 'manager', id: number): Call =>
    caller(url, { token: issuer.token({ sub: id, role, name: role }) });
  const newSeating = (): number => ++lastSeating;
  const order = async (call: Call, items: Record<number, number>): Promise<Json> => {
    const lines = Object.entries(items).map(([id, quantity]) => ({ item_id: Number(id), quantity }));
    return created(await call('POST', '/orders', { body: { items: lines } }));
  };
  const reserve = (bill: number, { call }: Pick<Diner, 'call'>, body: object = {}): Promise<Called> =>
    call('POST', `/bills/${bill}/payments`, { body: { method: 'account', part: { rest: true }, ...body } });
  const cancel = ({ bill_id: bill, id }: Json, call: Call): Promise<Called> =>
    call('POST', `/bills/${bill}/payments/${id}/cancel`, { body: {} });
  const claim = ({ id, total }: Json, as: Call, facts: object = {}): Promise<Called> =>
    as('POST', `/internal/bill-payments/${id}/claim`, {
      body: {
        purpose: 'payment',
        jti: randomUUID(),
        token_expires_at: new Date(Date.now() + 24 * 3600_000).toISOString(),
        total,
        currency: 'BRL',
        ...facts,
      },
    });
  const settle = ({ id }: Json, statement: string): Promise<Called> =>
    caller(url)('POST', `/internal/bill-payments/${id}/settle`, { body: { statement } });
  const sign = (payload: object, typ: StatementType, signer: Signer = issuer.receiptSigner): string =>
    signStatement(payload, typ, signer);
  /** Builds the payload of a payment's receipt, with the same fields as a receipt from the transfers service. */
  const receiptOf = ({ jti, payment, kind = 'bill_payment' }: ReceiptFacts) => ({
    id: ++lastTransfer,
    from_account_id: 21,
    to_account_id: 2,
    amount: payment.total,
    currency: 'BRL',
    description: null,
    status: 'posted',
    created_at: new Date(Date.now() + 24 * 3600_000).toISOString(),
    jti,
    pin_version: 1,
    payment_id: payment.id,
    kind,
    user_id: payment.payer.id,
  });
  const receipt = (facts: ReceiptFacts): string => sign(receiptOf(facts), 'receipt+jws');
  const refusal = (jti: string): string => sign({ id: 1, code: 'insufficient_funds', jti }, 'refusal+jws');
  const expiry = (jti: string): string => sign({ jti, created_at: new Date().toISOString() }, 'expiry+jws');
  const get = async (bill: number): Promise<Json> => (await waiter('GET', `/bills/${bill}`)).body;
  const statusOf = async ({ bill_id: bill, id }: Json): Promise<string> =>
    (await waiter('GET', `/bills/${bill}/payments/${id}`)).body.status;
  return {
    diner,
    staff,
    newSeating,
    order,
    reserve,
    cancel,
    claim,
    settle,
    sign,
    receiptOf,
    receipt,
    refusal,
    expiry,
    get,
    statusOf,
  };
}
