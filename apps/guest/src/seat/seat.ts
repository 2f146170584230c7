import { CallFailure, type Client, type Input, type Who } from '@comanda/client';
import { computed, effect, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { openKeptSeat, type KeptSeat } from './kept-seat.ts';
import { openScan } from './scan.ts';

export type Seat = ReturnType<typeof openSeat>;

/** At which table this phone is, and why at none. */
export function openSeat(client: Client) {
  const who = signal<Who | null>(client.who());
  const keptSeat = openKeptSeat();
  const { seat: customerSeat, readAgain, left, noteLeft, forgetLeft } = keptSeat;
  const { scanTrouble, ...scan } = openScan(client, keptSeat);
  /** The table was closed: the server accepts no order of this guest any more. */
  const isClosed = signal(false);
  let isSigningInAgain = false;

  /** Sits at the table without an account. */
  const isGuest = computed(() => who.value?.isGuest === true);
  /** The session has a seat: orders and bills are those of the seating. */
  const isSeated = computed(() => who.value?.seating !== undefined);
  const { keep, ...keeping } = openKeeping(client, keptSeat);
  /** The table that this phone orders for. */
  const table = computed<string | null>(() => {
    const current = who.value;
    if (!current || (isClosed.value && current.isGuest === false)) return null;
    return current.table ?? (current.role === 'customer' ? (customerSeat.value?.table ?? null) : null);
  });

  const stopListening = client.onWho((now) => {
    const before = who.value;
    who.value = now;
    if (now?.seating !== before?.seating) isClosed.value = false;
    // The server ended a guest's session, or a customer's seat: the table was closed, or its code replaced. A new scan begins
    // another one.
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
    /** Whether a user of this id is, or was, whoever holds this phone. */
    isOwn: (userId: number): boolean =>
      userId === who.value?.userId || [...(customerSeat.value?.guests ?? []), ...left.value].includes(userId),
    ...keeping,
    /** Begins another session of the same customer, with the seat of this one. */
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
    /** Takes the seat again that could not be kept at the sign-in. */
    keep: () => keep(),
    scanTrouble,
    ...scan,
    isClosed,
    noteClosed: () => {
      isClosed.value = true;
    },
    /** The table was closed: ends the session of a guest. A customer stays signed in. */
    leave: (): void => (isGuest.value ? void client.signOut() : leaveTable(who.value)),
    close: () => {
      stopListening();
      stopFollowing();
    },
  };
}

/** Keeps the seat of a guest who signs in. */
function openKeeping(client: Client, { seat, noteGuest }: KeptSeat) {
  /** Why a guest who has signed in does not have the seat any more. */
  const keepFailure = signal<unknown>(null);
  /** The guest who sat here has signed in: the seat is theirs. */
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
    /** Whether the seat of this table can be kept without another scan. */
    canKeep: computed(() => seat.value?.token !== undefined),
  };
}

type Following = {
  who: ReadonlySignal<Who | null>;
  isClosed: Signal<boolean>;
  onVisible: () => void;
};

/** Follows what becomes of the seating of whoever sits here. */
function followSeating(client: Client, { who, isClosed, ...following }: Following): () => void {
  const seating = computed(() => who.value?.seating);
  /** The session of a guest whose table was closed while this page was not there ends with the refusal of this call. */
  const askWhetherOpen = (): void => {
    if (seating.value !== undefined) void client.calls.me().catch(() => {});
  };
  const stopFollowing = effect(() => {
    const own = seating.value;
    if (own === undefined) return undefined;
    let wasLive = false;
    const feed = client.feed({
      onStanding: ({ status }) => {
        // Of what became of the seating before the first moment of the feed, no event comes: the next tokens say where it is,
        // and there are none for a guest whose table was closed.
        if (status === 'live' && !wasLive) void client.renewTokens().catch(ignoreFailure);
        wasLive ||= status === 'live';
      },
      onEvent: ({ type, data }) => {
        if (type === 'seating.closed' && data.seating === own) isClosed.value = true;
        // Staff have moved this seating, or joined it with another one: the next tokens say where it is.
        const hasMoved = type === 'table.changed' && (data.reason === 'moved' || data.reason === 'joined');
        if (hasMoved && data.previous_seating === own) void client.renewTokens().catch(ignoreFailure);
      },
    });
    return feed.close;
  });
  askWhetherOpen();
  // A phone may show this page again after days.
  const onVisible = (): void => {
    following.onVisible();
    if (document.visibilityState === 'visible') askWhetherOpen();
  };
  document.addEventListener('visibilitychange', onVisible);
  return () => {
    stopFollowing();
    document.removeEventListener('visibilitychange', onVisible);
  };
}

/** The tokens are renewed some minutes later all the same. */
function ignoreFailure(error: unknown): void {
  if (!(error instanceof CallFailure)) throw error;
}

/** Takes the table's token out of the address at once: it must not stay in the history, nor be shared with a link. */
export function readScannedToken(): string | null {
  const address = new URL(location.href);
  const token = address.searchParams.get('t');
  if (token === null) return null;
  address.searchParams.delete('t');
  history.replaceState(history.state, '', address.pathname + address.search + address.hash);
  return token;
}
