import { CallFailure, type Client, type Input, type Who } from '@comanda/client/core';
import { computed, signal } from '@preact/signals';
import { followSeating } from './follow-seating.ts';
import { openKeptSeat, type KeptSeat } from './kept-seat.ts';
import { openScan } from './scan.ts';

export type Seat = ReturnType<typeof openSeat>;

/** Tracks which table this phone is at, or why it has none. */
export function openSeat(client: Client) {
  const who = signal<Who | null>(client.who());
  const keptSeat = openKeptSeat();
  const { seat: customerSeat, readAgain, left, noteLeft, forgetLeft } = keptSeat;
  const { scanTrouble, ...scan } = openScan(client, keptSeat);
  /** True if the table was closed, so the server accepts no more orders from this guest. */
  const isClosed = signal(false);
  let isSigningInAgain = false;

  /** True if the user is a guest, without an account. */
  const isGuest = computed(() => who.value?.isGuest === true);
  /** True if the session has a seat: orders and bills are then those of the seating. */
  const isSeated = computed(() => who.value?.seating !== undefined);
  const { keep, ...keeping } = openKeeping(client, keptSeat);
  /** The table that orders from this phone are for; null if there is none. */
  const table = computed<string | null>(() => {
    const current = who.value;
    if (!current || (isClosed.value && current.isGuest === false)) return null;
    return current.table ?? (current.role === 'customer' ? (customerSeat.value?.table ?? null) : null);
  });

  const stopListening = client.onWho((now) => {
    const before = who.value;
    who.value = now;
    if (now?.seating !== before?.seating) isClosed.value = false;
    // The server ended a guest's session or a customer's seat, because the table was closed or its code was replaced. A new scan
    // starts another session.
    const isSameCustomer = before?.isGuest === false && now?.userId === before.userId;
    const hasLostSeat = isSameCustomer && now.table === undefined && !isSigningInAgain;
    if ((before?.isGuest && now === null) || hasLostSeat) leaveTable(before);
    else if (now) scanTrouble.value = null;
    if (now?.table !== undefined) forgetLeft();
    if (before?.isGuest && now?.role === 'customer' && now.table === undefined) void keep(before);
  });
  function leaveTable(own: Who | null): void {
    noteLeft(own);
    scanTrouble.value = 'ended';
  }
  const stopFollowing = followSeating(client, { who, isClosed, onVisible: readAgain });

  return {
    who,
    isGuest,
    isSeated,
    table,
    /** Returns true if the user with this id uses this phone, or has used it at this table. */
    isOwn: (userId: number): boolean =>
      userId === who.value?.userId || [...(customerSeat.value?.guests ?? []), ...left.value].includes(userId),
    ...keeping,
    /** Signs the same customer in again. The new session gets the seat from this one. */
    signInAgain: async (credentials: Input<'login'>): Promise<void> => {
      const before = who.value;
      isSigningInAgain = true;
      try {
        await client.signIn(credentials);
      } finally {
        isSigningInAgain = false;
      }
      if (before?.table !== undefined) await keep(before);
    },
    /** Takes the seat again if it could not be kept at the sign-in. */
    keep: () => keep(),
    scanTrouble,
    ...scan,
    isClosed,
    markClosed: () => {
      isClosed.value = true;
    },
    /** Leaves a closed table. This ends a guest's session, but a customer stays signed in. */
    leave: (): void => (isGuest.value ? void client.signOut() : leaveTable(who.value)),
    close: () => {
      stopListening();
      stopFollowing();
    },
  };
}

/** Lets a guest who signs in as a customer keep the seat. */
function openKeeping(client: Client, { seat, noteGuest }: KeptSeat) {
  /** Why a guest who has signed in could not keep the seat; null if nothing failed. */
  const keepFailure = signal<unknown>(null);
  /** Takes the seat again for the customer who has just signed in. `guest` is who they were before. */
  async function keep(guest?: Who): Promise<void> {
    if (guest) noteGuest(guest);
    const current = seat.value;
    if (!current) return;
    keepFailure.value = null;
    try {
      if (current.token !== undefined) await client.takeSeat({ table_token: current.token });
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      keepFailure.value = error;
    }
  }
  return {
    keep,
    keepFailure,
    /** True if the customer can take this table's seat without another scan. */
    canKeep: computed(() => seat.value?.token !== undefined),
  };
}

/**
 * Returns the table's token from the address and removes it there, so that it isn't stored in the history or shared with a link.
 */
export function readScannedToken(): string | null {
  const address = new URL(location.href);
  const token = address.searchParams.get('t');
  if (token === null) return null;
  address.searchParams.delete('t');
  history.replaceState(history.state, '', address.pathname + address.search + address.hash);
  return token;
}
