import { caller } from '@comanda/testing/call';
import { patient } from '@comanda/testing/patient';
import type { Stack } from '@comanda/testing/stack';
import type { Party } from './dinner.ts';

const kinds = [
  'user',
  'seating',
  'dish',
  'order',
  'ticket',
  'item',
  'bill',
  'payment',
  'call',
  'account',
  'transfer',
] as const;
export type IdKind = (typeof kinds)[number];
/** The numbers that the services have issued, for each kind, such as orders and transfers. */
export type Ids = Record<IdKind, readonly number[]>;
export const kindsOfIds = (of: (kind: IdKind) => readonly number[]): Ids =>
  Object.fromEntries(kinds.map((kind) => [kind, of(kind)])) as Ids;

/** Fetches everything that the restaurant has stored about these parties, including their orders and money. */
export async function readAll(stack: Stack, parties: readonly Party[]): Promise<unknown[]> {
  const manager = patient(caller(stack.gatewayUrl, { token: stack.managerToken }));
  const paths = parties.flatMap(({ ids, customer }) => [
    `/users/${customer.id}`,
    ...ids.order.flatMap((id) => [`/orders/${id}`, `/orders/${id}/history`]),
    ...ids.bill.flatMap((id) => [`/bills/${id}`, `/bills/${id}/history`]),
    ...ids.account.flatMap((id) => [`/accounts/${id}`, `/accounts/${id}/entries`]),
    ...ids.transfer.map((id) => `/accounts/internal-transfers/${id}`),
  ]);
  const read = async (path: string): Promise<unknown> => {
    const { status, body } = await manager('GET', path);
    return { path, status, body };
  };
  return Promise.all([...paths, '/menu', '/tables', '/audit?limit=200'].map(read));
}
