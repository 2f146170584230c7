import type { Role } from '@comanda/contracts/endpoint';
import type { TokenPair } from '@comanda/contracts/sessions';
import { CallFailure } from '../call-failure.ts';
import type { CrossTabLock } from './cross-tab-lock.ts';
import { readItem, type Storage } from './storage.ts';

/** The signed-in user, read from the access token. The client does not check the token's signature, but the server does. */
export type Who = {
  userId: number;
  role: Role;
  name: string;
  /** The name of the user's table. Absent if the user has no seat. */
  table?: string;
  seating?: number;
  /** True if the user is a guest without an account. A guest always has a seat. */
  isGuest?: boolean;
};
type StoredSession = {
  access: string;
  refresh: string;
  /** The time when the access token expires, in milliseconds by this device's clock. */ until: number;
};

export type Session = {
  who: () => Who | null;
  /** Starts a session with the tokens from a sign-in. */
  begin: (pair: TokenPair) => void;
  end: () => { refreshToken: string } | null;
  /**
   * Returns an access token that is valid for at least a few more seconds and is not `rejected`, or null if no user is signed
   * in.
   * @throws CallFailure if the token has expired and can't be refreshed now
   */
  token: (rejected?: string) => Promise<string | null>;
  /**
   * Replaces the session's tokens with the pair that `exchange` gets for the refresh token. Only one tab does this at a time.
   * @throws CallFailure `authentication_required` if no user is signed in, or the failure from `exchange`
   */
  exchange: (exchange: (refreshToken: string) => Promise<TokenPair>) => Promise<void>;
  /**
   * Renews both tokens. If a renewal is already running, starts another one afterwards.
   * @throws CallFailure if the tokens can't be renewed now
   */
  renew: () => Promise<void>;
  /**
   * Calls `listener` when the user or their seat changes, or the session expires, in this tab or another. Returns a function
   * that removes the listener.
   */
  onChange: (listener: (who: Who | null) => void) => () => void;
  close: () => void;
};
type Options = {
  storage: Storage;
  storageKey: string;
  lock: CrossTabLock;
  refresh: (refreshToken: string) => Promise<TokenPair>;
  now?: () => number;
};

type Replacing = {
  before: StoredSession;
  exchange: (refreshToken: string) => Promise<TokenPair>;
  regain: () => Promise<void>;
};

/** How early a token is refreshed before it expires, in milliseconds, so that it can't expire on its way to the server. */
const refreshMarginMs = 20_000;

/** Creates the device's session. All tabs that share the storage share the session, and one tab at a time refreshes it. */
export function createSession({ storage, storageKey, lock, refresh, now = Date.now }: Options): Session {
  const listeners = new Set<(who: Who | null) => void>();
  let announced = identityOf(read());
  let refreshing: Promise<string | null> | null = null;

  function read(): StoredSession | null {
    return readStoredSession(storage, storageKey);
  }
  function write(session: StoredSession | null): void {
    if (session) storage.setItem(storageKey, JSON.stringify(session));
    else storage.removeItem(storageKey);
    announceChange();
  }
  function announceChange(): void {
    const identity = identityOf(read());
    if (identity === announced) return;
    announced = identity;
    for (const listener of listeners) listener(whoOf(read()));
  }
  /** Converts tokens for the storage. `at` is the time of the request, because a tab may sleep before it gets the response. */
  const toStored = ({ access_token, refresh_token, expires_in }: TokenPair, at: number): StoredSession => ({
    access: access_token,
    refresh: refresh_token,
    until: at + expires_in * 1000,
  });
  const isUsable = ({ access, until }: StoredSession, rejected: string | undefined): boolean =>
    access !== rejected && until - now() > refreshMarginMs;

  /** Returns a valid access token, and refreshes the tokens if necessary. Only one tab runs this at a time. */
  async function refreshToken(rejected: string | undefined, regain: () => Promise<void>): Promise<string | null> {
    const before = read();
    // Another tab may have refreshed the tokens while this tab waited for the lock.
    if (!before || isUsable(before, rejected)) return before?.access ?? null;
    try {
      await replaceTokens({ before, exchange: refresh, regain });
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      const after = read();
      const isReplaced = after !== null && isUsable(after, rejected);
      if (isReplaced || error.code === 'invalid_refresh_token') return after?.access ?? null;
      if (before.access !== rejected && before.until > now()) return before.access;
      throw error;
    }
    return read()?.access ?? null;
  }
  /**
   * Replaces the tokens, or ends the session if the server rejects the refresh token. The new tokens are discarded if the user
   * has signed out in the meantime, or if another tab got newer ones while this tab slept. The server accepts only the newest
   * refresh token.
   */
  async function replaceTokens({ before, exchange, regain }: Replacing): Promise<void> {
    const isStillIt = async (): Promise<boolean> => {
      await regain();
      return read()?.refresh === before.refresh;
    };
    try {
      const at = now();
      const next = toStored(await exchange(before.refresh), at);
      if (await isStillIt()) write(next);
    } catch (error) {
      const isRefused = error instanceof CallFailure && error.code === 'invalid_refresh_token';
      if (isRefused && (await isStillIt())) write(null);
      throw error;
    }
  }

  const onStorage = (event: Event): void => {
    if ((event as Event & { key?: string | null }).key === storageKey) announceChange();
  };
  const page = 'document' in globalThis ? (globalThis as unknown as EventTarget) : null;
  page?.addEventListener('storage', onStorage);
  // A page in the browser's back/forward cache gets no storage events, so it checks for changes when it is shown again.
  page?.addEventListener('pageshow', announceChange);

  async function token(rejected?: string): Promise<string | null> {
    // Reports a change of user first, so that a response to another user's token does not appear as this user's.
    announceChange();
    const session = read();
    if (!session || isUsable(session, rejected)) return session?.access ?? null;
    refreshing ??= lock((regain) => refreshToken(rejected, regain)).finally(() => (refreshing = null));
    return refreshing;
  }
  return {
    who: () => whoOf(read()),
    begin: (pair) => write(toStored(pair, now())),
    end: () => {
      const ended = read();
      write(null);
      return ended && { refreshToken: ended.refresh };
    },
    token,
    renew: async () => {
      // A renewal that is already running may have started before the change that the caller wants to see in the new tokens.
      await refreshing?.catch(() => null);
      await token(read()?.access);
    },
    exchange: (exchange) =>
      lock(async (regain) => {
        const before = read();
        if (!before)
          throw new CallFailure('Nobody is signed in.', { code: 'authentication_required', outcome: 'none' });
        await replaceTokens({ before, exchange, regain });
      }),
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: () => {
      page?.removeEventListener('storage', onStorage);
      page?.removeEventListener('pageshow', announceChange);
    },
  };
}

/** Returns the stored session, or null if nothing valid is stored under this key. */
export function readStoredSession(storage: Storage, key: string): StoredSession | null {
  const stored = readItem(storage, key) as Partial<StoredSession> | null;
  const isSession = typeof stored?.access === 'string' && typeof stored.refresh === 'string';
  return isSession ? (stored as StoredSession) : null;
}

/** Returns a text that changes only with the user or the seat. A token refresh leaves it unchanged. */
const identityOf = (session: StoredSession | null): string => JSON.stringify(whoOf(session));

export function whoOf(session: StoredSession | null): Who | null {
  if (!session) return null;
  try {
    const [, payload = ''] = session.access.split('.');
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
      char.charCodeAt(0),
    );
    const { sub, role, name, table, seating, guest } = JSON.parse(new TextDecoder().decode(bytes)) as Record<
      string,
      unknown
    >;
    const seat = table !== undefined && { table, seating, isGuest: guest !== false };
    return { userId: Number(sub), role, name, ...seat } as Who;
  } catch {
    return null;
  }
}
