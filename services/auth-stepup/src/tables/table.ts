import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Table as TableResponse } from '@comanda/contracts/users';

/** `seating` is null while nobody is seated; the token follows from name and nonce. */
export type Table = { name: string; tokenNonce: string; seating: number | null };

/**
 * The content of a table's QR code: its name, and a MAC over name and nonce. The token is not stored, so that a copy of
 * the database gives no access to tables. A new nonce makes a new token.
 */
export type TableTokens = {
  tokenOf: (table: Pick<Table, 'name' | 'tokenNonce'>) => string;
  /** The table's name in a token that is not verified yet; null if the form is wrong. */
  readName: (token: string) => string | null;
  matches: (token: string, table: Pick<Table, 'name' | 'tokenNonce'>) => boolean;
};

const tokenForm = /^([A-Za-z0-9-]{1,16})\.[A-Za-z0-9_-]{22}$/;
const macBytes = 16;

/** `key`: 32 secret bytes. */
export function createTableTokens(key: Buffer): TableTokens {
  const tokenOf: TableTokens['tokenOf'] = ({ name, tokenNonce }) => {
    const mac = createHmac('sha256', key).update(`${name}.${tokenNonce}`).digest().subarray(0, macBytes);
    return `${name}.${mac.toString('base64url')}`;
  };
  return {
    tokenOf,
    readName: (token) => tokenForm.exec(token)?.[1] ?? null,
    matches: (token, table) => {
      const expected = Buffer.from(tokenOf(table));
      const given = Buffer.from(token);
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}

type ResponseOptions = { tableTokens: TableTokens; publicUrl: string };

export function toTableResponse(table: Table, { tableTokens, publicUrl }: ResponseOptions): TableResponse {
  const token = tableTokens.tokenOf(table);
  const url = `${publicUrl.replace(/\/+$/, '')}/?t=${token}`;
  return { table: table.name, table_token: token, url, seating: table.seating };
}
