import { caller, created } from '@comanda/testing/call';
import type { Stack } from '@comanda/testing/stack';

export type Customer = Awaited<ReturnType<typeof newCustomer>>;

/** Somebody with an account, and calls as them. */
export async function newCustomer(stack: Stack, name: string) {
  const { email, password: theirs, token } = await stack.customer(name);
  const call = caller(stack.gatewayUrl, { token });
  const { id: account } = created(await call('POST', '/accounts', { body: { name: 'Conta' } }));
  const { id } = (await call('GET', '/auth/me')).body;
  return {
    id: id as number,
    email,
    password: theirs,
    call,
    account: account as number,
    balance: async () => (await call('GET', `/accounts/${account}`)).body.balance as string,
  };
}
