import type { OrderStatus } from '@comanda/contracts/order';

/** Returns true once cooking has started. Staff must then give a reason to cancel a dish. */
export const needsReason = (status: OrderStatus): boolean => status !== 'received' && status !== 'cancelled';
