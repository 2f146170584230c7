import type { LiveItem } from '@comanda/client/core';

export const isSoldOut = ({ available, portions_left: left }: LiveItem): boolean => !available || left === 0;

/** The highest number of portions left that is shown to guests. */
export const fewPortions = 5;
