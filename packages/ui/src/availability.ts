import type { LiveItem } from '@comanda/client';

export const isSoldOut = ({ available, portions_left: left }: LiveItem): boolean => !available || left === 0;

/** From this number down, it is said how many portions are left. */
export const fewPortions = 5;
