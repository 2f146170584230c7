import type * as contract from '@comanda/contracts/bills';
import type { Call } from '@comanda/shared/http/api';
import { endSeating, type EndSeatingDeps } from '../seatings/end-seating.ts';
import type { BillWithOrders } from './bill.ts';
import { changeFor, type ChangeBillDeps } from './change-bill.ts';

export type CloseBillDeps = ChangeBillDeps & EndSeatingDeps;

/**
 * `POST /bills/{id}/close`: closes the bill. With `end_seating`, also ends its seating: once this returns, no more orders are
 * accepted for the seating, and its calls are done. If this fails after closing the bill, the same request can be repeated to end
 * the seating.
 */
export async function closeOneBill(
  { writer, ...deps }: CloseBillDeps,
  call: Call<typeof contract.closeBill>,
): Promise<BillWithOrders> {
  const { bill: closed } = await writer.write(changeFor(call, { kind: 'close' }));
  const { caller, context } = call;
  const { seating, table } = closed.bill;
  // The table may be null, because staff can order for a seating without naming a table.
  if (call.body.end_seating === true && seating !== null)
    await endSeating(deps, { caller, body: { seating, table: table ?? '-' }, context, of: 'bill' });
  return closed;
}
