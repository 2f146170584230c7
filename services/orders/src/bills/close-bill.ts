import type * as contract from '@comanda/contracts/bills';
import type { Call } from '@comanda/shared/http/api';
import { endSeating, type EndSeatingDeps } from '../seatings/end-seating.ts';
import type { BillWithOrders } from './bill.ts';
import { changeFor, type ChangeBillDeps } from './change-bill.ts';

export type CloseBillDeps = ChangeBillDeps & EndSeatingDeps;

/**
 * `POST /bills/{id}/close`. With `end_seating`, no more orders are accepted for the bill's seating once this returns, and its calls
 * are done. If a call fails in between, repeat it: closing a closed bill changes nothing, and then the seating ends.
 */
export async function closeOneBill(
  { writer, ...deps }: CloseBillDeps,
  call: Call<typeof contract.closeBill>,
): Promise<BillWithOrders> {
  const { bill: closed } = await writer.write(changeFor(call, { kind: 'close' }));
  const { caller, context } = call;
  const { seating, table } = closed.bill;
  // Staff may order for a seating without naming a table.
  if (call.body.end_seating === true && seating !== null)
    await endSeating(deps, { caller, body: { seating, table: table ?? '-' }, context, of: 'bill' });
  return closed;
}
