import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import type { Account } from '../src/accounts/account.ts';
import type { ConsentedTransfer } from '../src/transfers/transfer.ts';
import { newCommand, type Books } from './support/books.ts';
import { findingsOf } from './support/findings.ts';
import { postWhile } from './support/post-while.ts';
import { openSmallLedger, type SmallLedger } from './support/small-ledger.ts';

let where: { uri: string; database: string };
let ledger: SmallLedger;
let books: Books;
let ana: Account;
let rui: Account;
beforeAll(async () => {
  const { mongodbUri: uri, database } = await isolatedServers('verify-bills');
  where = { uri, database };
});
let count = 0;
beforeEach(async () => {
  ledger = await openSmallLedger({ ...where, database: `${where.database}-${++count}` });
  ({ books, ana, rui } = ledger);
});
afterEach(() => books.close());

const findings = () => findingsOf({ connection: books.connection, keys: ledger.keys });

describe('verify-ledger on bill payments', () => {
  const manager = 900_001;
  let lastPayment = 0;
  type Of = { from: Account; to: Account; amountMinor?: bigint; paymentId?: number };
  const payment = ({ amountMinor = 20n, paymentId = ++lastPayment, ...parties }: Of): ConsentedTransfer =>
    newCommand({ ...parties, kind: 'bill_payment', paymentId, amountMinor });
  const refund = ({ amountMinor = 20n, paymentId = ++lastPayment, ...parties }: Of): ConsentedTransfer =>
    newCommand({ ...parties, kind: 'bill_refund', paymentId, amountMinor, userId: manager });
  async function post(command: ConsentedTransfer): Promise<number> {
    const [outcome] = await books.post([command]);
    if (!outcome || !('value' in outcome) || outcome.value === 'too_late') throw new Error('it was not posted');
    return outcome.value.row.status === 'posted' ? outcome.value.row.id : Promise.reject(new Error('it was refused'));
  }
  const named = async (): Promise<string[]> => (await findings()).filter((finding) => finding.startsWith('transfer '));
  let takings: Account;
  beforeEach(async () => {
    takings = await books.accounts.getTakingsAccount('BRL', new Date());
  });

  test('finds nothing if bills were paid and refunded correctly', async () => {
    const paymentId = 700;
    await post(payment({ from: ana, to: takings, paymentId }));
    await post(refund({ from: takings, to: ana, paymentId }));

    expect(await findings()).toEqual([]);
  });

  test("reports a refund that doesn't match its payment", async () => {
    for (const paymentId of [701, 702, 703, 704]) await post(payment({ from: ana, to: takings, paymentId }));

    const unpaid = await post(refund({ from: takings, to: ana }));
    const more = await post(refund({ from: takings, to: ana, paymentId: 701, amountMinor: 21n }));
    const other = await post(refund({ from: takings, to: rui, paymentId: 702 }));
    const less = await post(refund({ from: takings, to: ana, paymentId: 703, amountMinor: 1n }));

    expect(await named()).toEqual(
      [unpaid, more, other, less].map((id) => `transfer ${id}: it refunds what was not paid so`),
    );
  });

  test('reports the second row if a payment was posted twice', async () => {
    await books.rows.dropIndex('kind_1_payment_id_1');
    await post(payment({ from: ana, to: takings, paymentId: 705 }));
    const again = await post(payment({ from: rui, to: takings, paymentId: 705 }));

    expect(await findings()).toEqual(
      expect.arrayContaining([
        `transfer ${again}: another row has the same kind and payment_id`,
        'index transfers (kind, payment_id): it is missing or not as it was created',
      ]),
    );
  });

  test('reports payments to an account that was the takings account for a while', async () => {
    const is = { owner_id: 0, purpose: 'takings', idempotency_key: 'takings', request_fingerprint: 'takings' };
    const paid = await postWhile(ledger, { account: ana, is, command: payment({ from: rui, to: ana }) });
    const giving = refund({ from: ana, to: rui, paymentId: lastPayment });
    const given = await postWhile(ledger, { account: ana, is, command: giving });

    const found = await named();
    expect(found).toEqual(
      expect.arrayContaining([
        `transfer ${paid}: it pays a bill, but not to the takings`,
        `transfer ${given}: it is a refund, but not by the takings`,
      ]),
    );
  });

  test('reports transfers from the takings account while it belonged to a person', async () => {
    await post(payment({ from: ana, to: takings }));
    await books.heads.updateOne({ _id: takings.id }, { $unset: { purpose: '' } });
    const theft = newCommand({ from: { id: takings.id, ownerId: rui.ownerId }, to: rui, amountMinor: 5n });
    const stolen = await postWhile(ledger, { account: takings, is: { owner_id: rui.ownerId }, command: theft });
    await books.heads.updateOne({ _id: takings.id }, { $set: { owner_id: 0, purpose: 'takings' } });

    expect(await named()).toEqual([`transfer ${stolen}: it is no refund, but was paid by the takings`]);
  });
});
