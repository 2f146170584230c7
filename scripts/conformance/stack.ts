import { randomUUID } from 'node:crypto';
import { createClient } from '@comanda/client';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { startStack, type Stack } from '@comanda/testing/stack';
import { seedDemo } from '@comanda/local-stack/seed';
import { serviceNames } from '@comanda/local-stack/stack-settings';

export const demoPassword = 'mesa-farofa-violao';
export const pin = '739152';
export const roles = ['customer', 'manager'] as const;
export type Role = (typeof roles)[number];
export const emailOf = (role: Role): string => `${role}@comanda.test`;

/** Rate limits that are high enough for the checks' many calls. */
const limits = Object.fromEntries(
  [
    'USER',
    'ADDRESS',
    'REFUSED',
    'STEP_UP',
    'SIGN_IN',
    'SIGN_IN_ADDRESS',
    'SIGN_IN_FAILURES',
    'REGISTRATION',
    'GUEST',
    'REFRESH',
  ].map((name) => [`RATE_LIMIT_${name}`, '1000000']),
);

/** Starts a stack with the demo data. Its users have PINs and accounts. */
export async function startConformanceStack(log: (line: string) => void): Promise<Stack> {
  const settings = { ...limits, UPSTREAM_TIMEOUT_MS: '60000' }; // a busy machine may be slower than the usual timeout
  const stack = await startStack(await isolatedServers('conformance'), settings, serviceNames);
  try {
    await seedDemo({ gatewayUrl: stack.gatewayUrl, createManager: stack.createManager, log });
    for (const role of roles) await addPinAndAccount(stack.gatewayUrl, role);
    return stack;
  } catch (error) {
    await stack.close();
    throw error;
  }
}

async function addPinAndAccount(url: string, role: Role): Promise<void> {
  const client = createClient({ url });
  await client.signIn({ email: emailOf(role), password: demoPassword });
  const { status } = await client.calls.transactionPassword();
  if (status === 'absent')
    await client.calls.createTransactionPassword({ transaction_password: pin, confirmation: pin });
  await client.calls.openAccount({ name: 'Savings' });
}

/** Signs in and returns the access token. */
export async function tokenOf(url: string, role: Role): Promise<string> {
  const { access_token: token } = await createClient({ url }).calls.login({
    email: emailOf(role),
    password: demoPassword,
  });
  return token;
}

/** Registers a customer and returns their access token. */
export async function newCustomerToken(url: string): Promise<string> {
  const { calls } = createClient({ url });
  const credentials = { email: `${randomUUID()}@comanda.test`, password: randomUUID() };
  await calls.register({ name: 'Neighbour', ...credentials });
  const { access_token: token } = await calls.login(credentials);
  return token;
}
