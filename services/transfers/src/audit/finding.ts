import { inspect } from 'node:util';

/** A row that was tampered with, and how that was found. */
export type Finding = { row: string; what: string };

/** `id` may have been tampered with, so it can have any type. */
const rowNames =
  (what: string) =>
  (id: unknown): string =>
    `${what} ${typeof id === 'number' || typeof id === 'string' ? id : inspect(id, { breakLength: Infinity })}`;

export const transferRow = rowNames('transfer');
export const accountRow = rowNames('account');
export const checkpointRow = rowNames('checkpoint');
export const keyRow = rowNames('key');
export const collectionRow = rowNames('collection');
export const indexRow = rowNames('index');
export const rulesRow = rowNames('rules of');
export const counterRow = rowNames('counter');
