import { CallFailure, type Client, type Who } from '@comanda/client';
import { computed, effect, signal } from '@preact/signals';
import { hasKeys, stored } from '@comanda/ui/stored-setting.ts';

/** Where this phone is: a guest's table and seating are in the session; of a signed-in customer only the table is known. */
type StoredSeat = { table: string; /** When the code was scanned, by this device's clock. */ at: number };
/** A customer stays signed in for weeks, but not at a table. */
const seatForMs = 4 * 3600 * 1000;
export type ScanTrouble = 'ended' | 'table_token_invalid' | 'seating_not_open' | 'failed';

const storedSeat = stored<StoredSeat | null>('seat', hasKeys<StoredSeat>('table', 'at'), null);

function readStoredSeat(): StoredSeat | null {
  const seat = storedSeat.get();
  return seat && Date.now() - seat.at < seatForMs ? seat : null;
}

export type Seat = ReturnType<typeof openSeat>;

/** At which table this phone is, and why at none. */
export function openSeat(client: Client) {
  const who = signal<Who | null>(client.who());
  const customerSeat = signal<StoredSeat | null>(readStoredSeat());
  /** Why this phone is at no table, if it was or should be. */
  const scanTrouble = signal<ScanTrouble | null>(null);
  /** The failure of `scanTrouble: 'failed'`. */
  const scanFailure = signal<unknown>(null);
  const isScanning = signal(false);
  /** The table was closed: the server accepts no order of this guest any more. */
  const isClosed = signal(false);
  let tokenToRetry: string | null = null;

  const isGuest = computed(() => who.value?.table !== undefined);
  /** The table that this phone orders for. */
  const table = computed<string | null>(() => {
    const current = who.value;
    if (!current) return null;
    return current.table ?? (current.role === 'customer' ? (customerSeat.value?.table ?? null) : null);
  });

  function storeSeat(seat: StoredSeat | null): void {
    customerSeat.value = seat;
    storedSeat.write(seat);
  }
  const stopListening = client.onWho((now) => {
    const before = who.value;
    who.value = now;
    if (now?.seating !== before?.seating) isClosed.value = false;
    // The server ended a guest's session: the table was closed, or its code replaced. A new scan begins another one.
    if (before?.table !== undefined && now === null) {
      storeSeat(null);
      scanTrouble.value = 'ended';
    }
    if (now) scanTrouble.value = null;
  });
  const seating = computed(() => who.value?.seating);
  const stopFollowing = effect(() => {
    const own = seating.value;
    if (own === undefined) return undefined;
    const feed = client.feed({
      onEvent: ({ type, data }) => {
        if (type === 'seating.closed' && data.seating === own) isClosed.value = true;
        // Staff have moved this seating, or joined it with another one: the next tokens say where it is.
        const hasMoved = type === 'table.changed' && (data.reason === 'moved' || data.reason === 'joined');
        if (hasMoved && data.previous_seating === own) void client.renewTokens().catch(ignoreFailure);
      },
    });
    return feed.close;
  });
  /** The session of a guest whose table was closed while this page was not there ends with the refusal of this call. */
  const askWhetherOpen = (): void => {
    if (isGuest.value) void client.calls.me().catch(() => {});
  };
  askWhetherOpen();
  // A phone may show this page again after days.
  const onVisible = (): void => {
    customerSeat.value = readStoredSeat();
    if (document.visibilityState === 'visible') askWhetherOpen();
  };
  document.addEventListener('visibilitychange', onVisible);

  /**
   * Takes the seat that a scanned code stands for. A guest who scans again at the same seating stays the same guest; a
   * signed-in customer stays signed in, and orders for that table.
   */
  async function take(token: string): Promise<void> {
    isScanning.value = true;
    scanTrouble.value = null;
    tokenToRetry = token;
    try {
      storeSeat({ table: await takeSeatOf(client, token), at: Date.now() });
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
    who,
    isGuest,
    table,
    scanTrouble,
    scanFailure,
    isScanning,
    isClosed,
    noteClosed: () => {
      isClosed.value = true;
    },
    /** Ends the session of a guest whose table was closed. */
    leave: () => void client.signOut(),
    take,
    retryScan: () => {
      if (tokenToRetry !== null) void take(tokenToRetry);
    },
    close: () => {
      stopListening();
      stopFollowing();
      document.removeEventListener('visibilitychange', onVisible);
    },
  };
}

/** The tokens are renewed some minutes later all the same. */
function ignoreFailure(error: unknown): void {
  if (!(error instanceof CallFailure)) throw error;
}

/** Returns the table of the code. */
async function takeSeatOf(client: Client, token: string): Promise<string> {
  const current = client.who();
  if (current?.role !== 'customer') return (await client.signInAsGuest({ table_token: token })).table ?? '';
  const pair = await client.calls.beGuest({ table_token: token });
  const { table, seating } = readSeat(pair.access_token);
  void client.calls.logout({ refresh_token: pair.refresh_token }).catch(() => {});
  const isSameSeating = current.table === table && current.seating === seating;
  if (!isSameSeating && current.table !== undefined) await client.signInAsGuest({ table_token: token });
  return table;
}

/** The seat in the access token of a guest. The server decides by the token, never by this. */
function readSeat(accessToken: string): { table: string; seating: number } {
  const [, payload = ''] = accessToken.split('.');
  return JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
}

/** Takes the table's token out of the address at once: it must not stay in the history, nor be shared with a link. */
export function readScannedToken(): string | null {
  const address = new URL(location.href);
  const token = address.searchParams.get('t');
  if (token === null) return null;
  address.searchParams.delete('t');
  history.replaceState(null, '', address.pathname + address.search + address.hash);
  return token;
}
