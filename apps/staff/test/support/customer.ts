import { openAccount, registerCustomer } from '@comanda/testing/step-up-calls';
import type { Stack } from '@comanda/testing/stack';

/** Creates a customer with an account, and a function that makes calls for them. */
export async function newCustomer(stack: Stack, name: string) {
  const customer = await registerCustomer(stack, name);
  const account = await openAccount(customer.call);
  const balance = async () => (await customer.call('GET', `/accounts/${account}`)).body.balance as string;
  return { ...customer, account, balance };
}
