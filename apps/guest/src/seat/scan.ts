import { CallFailure, type Client } from '@comanda/client/core';
import { signal } from '@preact/signals';
import type { KeptSeat } from './kept-seat.ts';

type ScanTrouble = 'ended' | 'table_token_invalid' | 'seating_not_open' | 'failed';

/** Handles scans of a table's code. */
export function openScan(client: Client, { seat, storeSeat }: KeptSeat) {
  /** Why this phone has no table; null if it has one, or if nothing was scanned. */
  const scanTrouble = signal<ScanTrouble | null>(null);
  /** Why the scan failed, if `scanTrouble` is `failed`. */
  const scanFailure = signal<unknown>(null);
  const isScanning = signal(false);
  let tokenToRetry: string | null = null;

  /**
   * Takes a seat at the scanned code's table. A guest who scans again at the same seating stays the same guest. A signed-in
   * customer stays signed in and orders for that table.
   */
  async function take(token: string): Promise<void> {
    isScanning.value = true;
    scanTrouble.value = null;
    tokenToRetry = token;
    try {
      const seatedAt = await takeSeatOf(client, token);
      const guests = seatedAt === seat.value?.table ? seat.value.guests : [];
      storeSeat({ table: seatedAt, at: Date.now(), token, ...(guests && { guests }) });
      tokenToRetry = null;
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      const { code } = error;
      scanFailure.value = error;
      scanTrouble.value = code === 'table_token_invalid' || code === 'seating_not_open' ? code : 'failed';
    } finally {
      isScanning.value = false;
    }
  }
  return {
    scanTrouble,
    scanFailure,
    isScanning,
    take,
    retryScan: (): void => {
      if (tokenToRetry !== null) void take(tokenToRetry);
    },
  };
}

/** Takes the seat and returns the code's table. */
async function takeSeatOf(client: Client, token: string): Promise<string> {
  const current = client.who();
  if (current?.role !== 'customer') return (await client.signInAsGuest({ table_token: token })).table ?? '';
  if (!current.isGuest) return (await client.takeSeat({ table_token: token })).table ?? '';
  const pair = await client.calls.beGuest({ table_token: token });
  const { table, seating } = readSeat(pair.access_token);
  void client.calls.logout({ refresh_token: pair.refresh_token }).catch(() => {});
  const isSameSeating = current.table === table && current.seating === seating;
  if (!isSameSeating) await client.signInAsGuest({ table_token: token });
  return table;
}

/** Returns the seat in a guest's access token. The server decides by the token, never by this. */
function readSeat(accessToken: string): { table: string; seating: number } {
  const [, payload = ''] = accessToken.split('.');
  return JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
}
