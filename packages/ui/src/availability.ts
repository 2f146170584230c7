import type { LiveItem } from '@comanda/client';

export const isSoldOut = ({ available, portions_left: left }: LiveItem): boolean => !available || left === 0;

/** The number of portions up to which guests see how many are left. */
export const fewPortions = 5;
