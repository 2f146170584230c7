import { CallFailure } from '@comanda/client';
import type { Who } from '@comanda/client';
import { computed, signal } from '@preact/signals';
import { readSetting, writeSetting } from '@comanda/ui/stored-setting.ts';
import { client } from './client.ts';

/** Where this phone is: a guest's table and seating are in the session; of a signed-in customer only the table is known. */
type StoredSeat = { table: string; /** When the code was scanned, by this device's clock. */ at: number };
/** A customer stays signed in for weeks, but not at a table. */
const seatForMs = 4 * 3600 * 1000;
export type ScanTrouble = 'ended' | 'table_token_invalid' | 'seating_not_open' | 'failed';

export const who = signal<Who | null>(client.who());
const storedSeat = signal<StoredSeat | null>(readStoredSeat());
/** Why this phone is at no table, if it was or should be. */
export const scanTrouble = signal<ScanTrouble | null>(null);
export const isScanning = signal(false);
/** The failure behind `scanTrouble: 'failed'`. */
export const scanFailure = signal<unknown>(null);
let tokenToRetry: string | null = null;

export const isGuest = computed(() => who.value?.table !== undefined);
/** The table that this phone orders for. */
export const table = computed<string | null>(() => {
  const current = who.value;
  if (!current) return null;
  return current.table ?? (current.role === 'customer' ? (storedSeat.value?.table ?? null) : null);
});

function readStoredSeat(): StoredSeat | null {
  try {
    const stored = JSON.parse(readSetting('seat') ?? 'null') as Partial<StoredSeat> | null;
    return typeof stored?.table === 'string' && Date.now() - (stored.at ?? 0) < seatForMs
      ? (stored as StoredSeat)
      : null;
  } catch {
    return null;
  }
}
function storeSeat(seat: StoredSeat | null): void {
  storedSeat.value = seat;
  writeSetting('seat', seat && JSON.stringify(seat));
}

client.onWho((now) => {
  const before = who.value;
  who.value = now;
  // The server ended a guest's session: the table was closed, or its code replaced. A new scan begins another one.
  if (before?.table !== undefined && now === null) {
    storeSeat(null);
    scanTrouble.value = 'ended';
  }
  if (now) scanTrouble.value = null;
});

// A phone may show this page again after days.
document.addEventListener('visibilitychange', () => {
  storedSeat.value = readStoredSeat();
});

type Seat = { table: string; seating: number };
/** What the access token of a guest says about its seat; the server decides by the token, never by this. */
function seatOf(accessToken: string): Seat {
  const [, payload = ''] = accessToken.split('.');
  return JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as Seat;
}

/**
 * Takes the seat that a scanned code stands for. A guest who scans again at the same seating stays the same guest; a
 * signed-in customer stays signed in, and orders for that table.
 */
export async function takeSeat(token: string): Promise<void> {
  isScanning.value = true;
  scanTrouble.value = null;
  tokenToRetry = token;
  try {
    const current = client.who();
    if (current && current.role === 'customer') {
      const pair = await client.calls.beGuest({ table_token: token });
      const seat = seatOf(pair.access_token);
      void client.calls.logout({ refresh_token: pair.refresh_token }).catch(() => {});
      const isSameSeating = current.table === seat.table && current.seating === seat.seating;
      if (!isSameSeating && current.table !== undefined) await client.signInAsGuest({ table_token: token });
      storeSeat({ table: seat.table, at: Date.now() });
    } else {
      const guest = await client.signInAsGuest({ table_token: token });
      storeSeat({ table: guest.table ?? '', at: Date.now() });
    }
    tokenToRetry = null;
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error;
    const code: string = error.code;
    scanFailure.value = error;
    scanTrouble.value = code === 'table_token_invalid' || code === 'seating_not_open' ? code : 'failed';
  } finally {
    isScanning.value = false;
  }
}

export const retryScan = (): void => {
  if (tokenToRetry !== null) void takeSeat(tokenToRetry);
};

/** Takes the table's token out of the address at once: it must not stay in the history, nor be shared with a link. */
export function readScannedToken(): string | null {
  const address = new URL(location.href);
  const token = address.searchParams.get('t');
  if (token === null) return null;
  address.searchParams.delete('t');
  history.replaceState(null, '', address.pathname + address.search + address.hash);
  return token;
}
