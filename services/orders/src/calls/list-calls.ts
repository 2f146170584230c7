import { activeCallStatuses, type CallStatus, type listCalls as contract } from '@comanda/contracts/calls';
import type { Call } from '@comanda/shared/http/api';
import type { TableCall } from './call.ts';
import type { CallStore } from './call-store.ts';

/** `GET /calls`: returns open and taken calls, oldest first. A customer without a seat gets an empty list. */
export async function listCalls(
  { calls }: { calls: Pick<CallStore, 'list'> },
  { caller: { role, seating }, query }: Call<typeof contract>,
): Promise<TableCall[]> {
  const statuses = (query.status?.split(',') as CallStatus[] | undefined) ?? [...activeCallStatuses];
  if (role !== 'customer') return calls.list({ statuses });
  return seating === undefined ? [] : calls.list({ statuses, seating });
}
