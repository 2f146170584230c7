import { inspect } from 'node:util';

/** A row or document with a defect (`row`), and a description of the defect (`what`). */
export type Finding = { row: string; what: string };

/** Names for messages. The `id` may be the result of tampering, so it can have any type. */
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
