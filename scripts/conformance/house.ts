import { randomUUID } from 'node:crypto';
import { createClient } from '@comanda/client';
import { isolated } from '@comanda/testing/isolated';
import { startHouse } from '@comanda/testing/house';
import type { House } from '@comanda/testing/house';
import { seedDemoHouse } from '../seed.ts';

export const demoPassword = 'comanda-demo';
export const pin = '739152';
export const roles = ['customer', 'manager'] as const;
export type Role = (typeof roles)[number];
export const emailOf = (role: Role): string => `${role}@comanda.test`;

/** So many calls as are made here are no attack. */
const limits = Object.fromEntries(
  ['USER', 'ADDRESS', 'STEP_UP', 'SIGN_IN', 'SIGN_IN_FAILURES', 'GUEST'].map((name) => [
    `RATE_LIMIT_${name}`,
    '1000000',
  ]),
);

/** A demonstration house of its own, whose people have PINs and accounts. */
export async function startConformanceHouse(log: (line: string) => void): Promise<House> {
  const house = await startHouse(await isolated('conformance'), limits);
  try {
    await seedDemoHouse({ gatewayUrl: house.gatewayUrl, runServiceCommand: house.runServiceCommand, log });
    for (const role of roles) await equip(house.gatewayUrl, role);
    return house;
  } catch (error) {
    await house.stop();
    throw error;
  }
}

async function equip(url: string, role: Role): Promise<void> {
  const client = createClient({ url });
  await client.signIn({ email: emailOf(role), password: demoPassword });
  const { status } = await client.calls.transactionPassword();
  if (status === 'absent')
    await client.calls.createTransactionPassword({ transaction_password: pin, confirmation: pin });
  await client.calls.openAccount({ name: 'Savings' });
}

/** A fresh access token. */
export async function tokenOf(url: string, role: Role): Promise<string> {
  const { access_token: token } = await createClient({ url }).calls.login({
    email: emailOf(role),
    password: demoPassword,
  });
  return token;
}

/** The access token of a customer who has never been here. */
export async function newcomersToken(url: string): Promise<string> {
  const { calls } = createClient({ url });
  const credentials = { email: `${randomUUID()}@comanda.test`, password: randomUUID() };
  await calls.register({ name: 'Neighbour', ...credentials });
  const { access_token: token } = await calls.login(credentials);
  return token;
}
