import { useSettled } from '@comanda/ui/use-settled.ts';

/**
 * Returns the class of something that has just appeared, so that taps go past it for 0.5 s: they were meant for what was there
 * before. Afterwards, returns undefined.
 */
export const useSettling = (): string | undefined => (useSettled() ? undefined : 'waiter-settling');
