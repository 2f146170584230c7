import type { LiveItem } from '@comanda/client';

export const isSoldOut = ({ available, portions_left: left }: LiveItem): boolean => !available || left === 0;

/** Up to this many portions, guests see how many are left. */
export const fewPortions = 5;
