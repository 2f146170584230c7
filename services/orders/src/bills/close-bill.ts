import type * as contract from '@comanda/contracts/bills';
import type { Call } from '@comanda/shared/http/api';
import { endSeating, type EndSeatingDeps } from '../seatings/end-seating.ts';
import { closeBill } from './bill-rules.ts';
import type { BillWithOrders } from './bill.ts';
import { changeBill, contextOf, type ChangeBillDeps } from './change-bill.ts';
import { enterChanged } from '../batch/decide-bill-change.ts';

export type CloseBillDeps = ChangeBillDeps & EndSeatingDeps;

/**
 * `POST /bills/{id}/close`. With `end_seating`, no order is accepted for its seating once this returns, and
 * its calls are done. A call that fails
 * in between is repeated: closing a closed bill changes nothing, and the seating ends then.
 */
export async function closeOneBill(
  deps: CloseBillDeps,
  call: Call<typeof contract.closeBill>,
): Promise<BillWithOrders> {
  const { written } = await changeBill(deps, call, {
    needs: 'number',
    apply: (state, work) => {
      const number = state.counters.billNumber + 1;
      const changed = closeBill(work, { number, now: state.now });
      const closed = enterChanged(state, { work, changed, context: contextOf(call) });
      if (work.bill.number === number) state.counters = { ...state.counters, billNumber: number };
      return closed;
    },
  });
  const { caller, context } = call;
  const { seating, table } = written.bill;
  // Staff may order for a seating without naming a table.
  if (call.body.end_seating === true && seating !== null)
    await endSeating(deps, { caller, body: { seating, table: table ?? '-' }, context, of: 'bill' });
  return written;
}
