import { publicSignIns } from '@comanda/local-stack/demo-sign-ins';
import { seedDemo } from '@comanda/local-stack/seed';
import type { Stack } from './stack.ts';

/**
 * Adds the demo's data to a stack, as `npm start` does. But the users are inserted directly, because checking and hashing their
 * passwords would take longer than everything else.
 */
export async function seedStack({ auth, gatewayUrl, createManager }: Stack): Promise<void> {
  const { manager, waiter, customer, second } = publicSignIns;
  await auth.addUser({ name: 'Marta', role: 'manager', ...manager });
  await auth.addUser({ name: 'Wagner', role: 'waiter', ...waiter });
  await auth.addUser({ name: 'Ana', role: 'customer', ...customer });
  await auth.addUser({ name: 'Bruno', role: 'customer', ...second });
  await seedDemo({ gatewayUrl, createManager, log: () => undefined });
}
