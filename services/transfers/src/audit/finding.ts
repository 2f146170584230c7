import { inspect } from 'node:util';

/** A row that is not as it was written, and how that was found. */
export type Finding = { row: string; what: string };

/** `id` may have been tampered with, so that it is of any type. */
const named =
  (what: string) =>
  (id: unknown): string =>
    `${what} ${typeof id === 'number' || typeof id === 'string' ? id : inspect(id, { breakLength: Infinity })}`;

export const transferRow = named('transfer');
export const accountRow = named('account');
export const checkpointRow = named('checkpoint');
export const keyRow = named('key');
export const indexRow = named('index');
export const counterRow = named('counter');
