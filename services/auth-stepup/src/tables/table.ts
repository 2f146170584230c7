import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Table as PublicTable } from '@comanda/contracts/users';

/** A table of the house: who sits there now, and what makes its token. */
export type Table = { name: string; tokenNonce: string; seating: number | null };

/**
 * What a table's QR code holds: its name and a MAC over name and nonce. It is not stored: a copied database opens no
 * table, and a new nonce is a new token.
 */
export type TableTokens = {
  of: (table: Pick<Table, 'name' | 'tokenNonce'>) => string;
  /** The table that a token says it is of, to be compared with `isOf`; null for what is none. */
  nameIn: (token: string) => string | null;
  isOf: (token: string, table: Pick<Table, 'name' | 'tokenNonce'>) => boolean;
};

const form = /^([A-Za-z0-9-]{1,16})\.[A-Za-z0-9_-]{22}$/;
const macBytes = 16;

/** `key`: 32 secret bytes. */
export function createTableTokens(key: Buffer): TableTokens {
  const of: TableTokens['of'] = ({ name, tokenNonce }) => {
    const mac = createHmac('sha256', key).update(`${name}.${tokenNonce}`).digest().subarray(0, macBytes);
    return `${name}.${mac.toString('base64url')}`;
  };
  return {
    of,
    nameIn: (token) => form.exec(token)?.[1] ?? null,
    isOf: (token, table) => {
      const right = Buffer.from(of(table));
      const sent = Buffer.from(token);
      return sent.length === right.length && timingSafeEqual(sent, right);
    },
  };
}

export const presentTable = (table: Table, { tokens, publicUrl }: TableDoor): PublicTable => {
  const token = tokens.of(table);
  return { table: table.name, table_token: token, url: `${publicUrl}/?t=${token}`, seating: table.seating };
};
/** `publicUrl` without a slash at its end. */
export type TableDoor = { tokens: TableTokens; publicUrl: string };
