import { createHmac, timingSafeEqual } from 'node:crypto';
import type { EventData } from '@comanda/contracts/event-data';
import type { Table as TableResponse } from '@comanda/contracts/tables';
import type { SecretsById } from '@comanda/shared/config/secrets-by-id';

export const seatingOpeners = ['guest', 'staff'] as const;
export type SeatingOpener = (typeof seatingOpeners)[number];

/**
 * A table. Its token is derived from its name and nonce with the key `tokenKeyId`, the current key at the time when the table got
 * its token.
 */
export type Table = {
  name: string;
  tokenNonce: string;
  tokenKeyId: string;
  /** When the table got its token, in milliseconds since the epoch. */
  rotatedAt: number;
  /** The number of the current seating; null while the table is empty. */
  seating: number | null;
  seatingOpenedBy: SeatingOpener | null;
  /** When the guests were seated, in milliseconds since the epoch; null while the table is empty. */
  seatedAt: number | null;
  /** True if the guests have left and the table has not been cleaned yet. */
  needsCleaning: boolean;
  /** Admissions of guests who came here from another table, because their seating was moved here or joined with this table's. */
  admits: readonly Admission[];
  version: number;
};
/** Lets guests sit at a table: those who scanned the code with this nonce during that seating. */
export type Admission = { seating: number; tokenNonce: string };
type TokenFacts = Pick<Table, 'name' | 'tokenNonce' | 'tokenKeyId'>;

/**
 * Creates and checks the content of a table's QR code: the table's name, and a MAC over that name and a nonce. The token is not
 * stored, so a copy of the database gives no access to tables. A new nonce results in a new token.
 */
export type TableTokens = {
  tokenOf: (table: TokenFacts) => string;
  /** Returns the table's name from an unverified token; null if the format is wrong. */
  readName: (token: string) => string | null;
  matches: (token: string, table: TokenFacts) => boolean;
  currentKeyId: string;
};

const tokenForm = /^([A-Za-z0-9-]{1,16})\.[A-Za-z0-9_-]{22}$/;
const macBytes = 16;

/**
 * Creates the tokens for tables. `keys` are 32 secret bytes each, the current one first. If a table's key is removed, the table's
 * token changes as if its code had been replaced.
 */
export function createTableTokens(keys: SecretsById): TableTokens {
  const [[currentKeyId, currentKey] = ['', Buffer.alloc(0)]] = keys;
  const tokenOf: TableTokens['tokenOf'] = ({ name, tokenNonce, tokenKeyId }) => {
    const key = keys.get(tokenKeyId) ?? currentKey;
    const mac = createHmac('sha256', key).update(`${name}.${tokenNonce}`).digest().subarray(0, macBytes);
    return `${name}.${mac.toString('base64url')}`;
  };
  return {
    currentKeyId,
    tokenOf,
    readName: (token) => tokenForm.exec(token)?.[1] ?? null,
    matches: (token, table) => {
      const expected = Buffer.from(tokenOf(table));
      const given = Buffer.from(token);
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}

type TableState = EventData<'table.changed'>['table'];

/** Returns the table as events contain it: without the token and the code's URL. */
export function toTableState(table: Table): TableState {
  const unseated = table.needsCleaning ? 'to_clean' : 'free';
  return {
    table: table.name,
    status: table.seating === null ? unseated : 'seated',
    seating: table.seating,
    seated_at: table.seatedAt === null ? null : new Date(table.seatedAt).toISOString(),
    version: table.version,
  };
}

type ResponseOptions = { tableTokens: TableTokens; publicUrl: string };

export function toTableResponse(table: Table, { tableTokens, publicUrl }: ResponseOptions): TableResponse {
  const token = tableTokens.tokenOf(table);
  const url = `${publicUrl.replace(/\/+$/, '')}/?t=${token}`;
  const rotated_at = new Date(table.rotatedAt).toISOString();
  return { ...toTableState(table), table_token: token, url, rotated_at };
}
