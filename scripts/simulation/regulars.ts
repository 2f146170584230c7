import { randomUUID } from 'node:crypto';
import type { Answer, Client, Consent } from '@comanda/client';
import type { Bill } from '@comanda/contracts/bills';
import type { BillPart } from '@comanda/contracts/bill-payments';
import { randomPin } from '@comanda/local-stack/demo-sign-ins';

/** A customer who pays from an account with a PIN. */
export type Regular = { client: Client; account: Pick<Answer<'openAccount'>, 'id' | 'currency'> };
export type OpenClient = (onConsent?: () => Promise<Consent>) => Client;

/** Registers a customer with an account, a password and a PIN. The password and PIN are not stored anywhere. */
export async function registerRegular(openClient: OpenClient, name: string): Promise<Regular> {
  const pin = randomPin();
  const client = openClient(() => Promise.resolve({ transaction_password: pin }));
  const signIn = { email: `${randomUUID()}@comanda.test`, password: randomUUID() };
  await client.calls.register({ name, ...signIn });
  await client.signIn(signIn);
  await client.calls.createTransactionPassword({ transaction_password: pin, confirmation: pin });
  return { client, account: await client.calls.openAccount({ name: 'Conta' }) };
}

type Part = { bill: Bill; part: BillPart; amount: string; tip: string };

/**
 * Reserves a share of the bill, lets the manager deposit that amount, and pays with the PIN.
 * @throws CallFailure
 */
export async function payFromAccount(
  { client, account }: Regular,
  { manager, ...paid }: Part & { manager: Client },
): Promise<void> {
  const { bill, part, amount, tip } = paid;
  const payment = await client.calls.payBill({ id: bill.id, method: 'account', part, expected_amount: amount, tip });
  const { id, total } = payment;
  await manager.calls.deposit({ id: account.id, amount: total });
  const { currency } = account;
  await client.calls.payBillFromAccount({ payment_id: id, from_account_id: account.id, amount: total, currency });
}
