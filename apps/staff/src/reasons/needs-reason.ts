import type { OrderStatus } from '@comanda/contracts/order';

/** Once somebody has begun to cook it, staff say why a dish is cancelled. */
export const needsReason = (status: OrderStatus): boolean => status !== 'received' && status !== 'cancelled';
