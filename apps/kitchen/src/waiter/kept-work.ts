import { readSetting } from '@comanda/ui/stored-setting.ts';

/** Where the orders of this user are kept that have no answer. */
export const outboxName = (userId: number): string => `waiter.orders.${userId}`;
/** Where is kept what this user has served and the server has not answered. */
export const servedName = (userId: number): string => `waiter.served.${userId}`;

/** Whether the waiters' screen has something to send for this user. */
export const hasKeptWork = (userId: number): boolean =>
  readSetting(outboxName(userId)) !== null || readSetting(servedName(userId)) !== null;
