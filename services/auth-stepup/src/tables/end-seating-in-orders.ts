import type { BodyOf } from '@comanda/contracts/endpoint';
import { endSeating } from '@comanda/contracts/internal';
import { unavailable } from '@comanda/contracts/problem';
import type { ServiceClient, UserRequest } from '@comanda/shared/http/service-client';

const detail = "The table wasn't changed, because orders isn't responding.";

/**
 * Ends a seating in the orders service, with the access token of the staff member's request: after this call returns, no order is
 * accepted for the seating. `into` is the seating that the guests join, if any. The call can be repeated.
 * @throws 503 `service_unavailable` for every failure, even if orders rejects the call: the seating may or may not have ended
 */
export async function endSeatingInOrders(
  orders: Pick<ServiceClient, 'call'>,
  body: BodyOf<typeof endSeating>,
  request: UserRequest,
): Promise<void> {
  await orders.call(endSeating, { body }, request).catch((cause: unknown) => {
    throw unavailable({ detail }, cause);
  });
}
