import { isListOf, stored, type Stored } from '@comanda/ui/stored-setting.ts';
import type { Bump } from '../bumps/bump.ts';

// Work belongs to the user who did it: nobody else's session sends it.
const keptAs = (name: string): Stored<readonly Bump[]> => stored(name, isListOf<Bump>('id', 'orderId', 'moves'), []);

/** The bumps of this user that the server has not answered. */
export const keptBumps = (userId: number): Stored<readonly Bump[]> => keptAs(`kitchen.bumps.${userId}`);
/** What this user has served and the server has not answered. */
export const keptServed = (userId: number): Stored<readonly Bump[]> => keptAs(`waiter.served.${userId}`);
/** Where the waiters' orders of this user are kept that have no answer. */
export const outboxName = (userId: number): string => `waiter.orders.${userId}`;
/** Where payments and ends of bills of this user are kept that have no answer. */
export const paymentsName = (userId: number): string => `waiter.payments.${userId}`;
/** Where orders of this user are kept that are not sent by themselves, and why. */
export const heldOrdersName = (userId: number): string => `waiter.held-orders.${userId}`;
/** Where payments and ends of bills of this user are kept that the server has refused. */
export const refusedPaymentsName = (userId: number): string => `waiter.refused-payments.${userId}`;
/** Where bills of this user are kept that follow guests who have moved, and have no answer. */
export const moveBillsName = (userId: number): string => `waiter.moved-bills.${userId}`;

const hasKept = (name: string): boolean => stored(name, isListOf('key'), []).get().length > 0;
/** Whether the waiters' screen has something to send for this user. */
export const hasKeptWork = (userId: number): boolean =>
  keptServed(userId).get().length > 0 ||
  [outboxName, paymentsName, moveBillsName].some((nameOf) => hasKept(nameOf(userId)));
