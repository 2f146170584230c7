import type { Client, Input } from '@comanda/client';

type Deps = {
  guest: Client;
  staff: Client;
  /** Resolves before a waiter goes to the table, and again before the waiter arrives. */
  untilNextStep: () => Promise<void>;
};

/**
 * Calls a waiter as a guest, and lets a waiter accept the call and complete it at the table.
 * @throws CallFailure
 */
export async function callWaiter({ guest, staff, untilNextStep }: Deps, call: Input<'call'>): Promise<void> {
  const { id } = await guest.calls.call(call);
  await untilNextStep();
  await staff.calls.updateCall({ id, status: 'taken' });
  await untilNextStep();
  await staff.calls.updateCall({ id, status: 'done' });
}
