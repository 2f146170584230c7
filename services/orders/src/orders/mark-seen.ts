import type { markSeen as contract } from '@comanda/contracts/orders';
import { Problem } from '@comanda/contracts/problems';
import type { Call } from '@comanda/shared/http/api';
import type { ChangeOrder } from './change-order.ts';
import { recordSeen } from './order-events.ts';
import { markSeenAt } from './order-moves.ts';

/** `POST /orders/seen`: for each order the first screen counts; orders that there are not are passed over. */
export async function markSeen(changeOrder: ChangeOrder, call: Call<typeof contract>): Promise<void> {
  const { caller, body, context } = call;
  const by = { actor: { id: caller.userId, role: caller.role }, traceparent: context.traceparent };
  await Promise.all(
    [...new Set(body.order_ids)].map((id) =>
      changeOrder({ id, by, apply: markSeenAt, record: recordSeen(body.device) }).catch(passOver),
    ),
  );
}

function passOver(error: unknown): void {
  if (!(error instanceof Problem) || error.code !== 'not_found') throw error;
}
