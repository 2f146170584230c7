import type { markAllergiesRead as contract } from '@comanda/contracts/orders';
import type { Call } from '@comanda/shared/http/api';
import { changeContextOf, changeOrder, type ChangeOrderDeps } from './change-order.ts';
import { recordAllergiesRead } from './order-events.ts';
import { markOrderAllergiesRead } from './order-rules.ts';
import type { Order } from './order.ts';

/** `PUT /orders/{id}/allergies-read`: stores when somebody of the staff first said that the allergies were read. */
export const markAllergiesRead = (deps: ChangeOrderDeps, call: Call<typeof contract>): Promise<Order> =>
  changeOrder(deps, {
    id: call.params.id,
    context: changeContextOf(call),
    apply: markOrderAllergiesRead,
    record: recordAllergiesRead,
  });
