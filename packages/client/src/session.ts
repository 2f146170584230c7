import type { Role } from '@comanda/contracts/endpoint';
import type { TokenPair } from '@comanda/contracts/users';
import { CallFailure } from './failure.ts';
import type { DeviceLock } from './device-lock.ts';
import { readItem } from './storage.ts';
import type { Storage } from './storage.ts';

/** Who is signed in, as the access token says. The house believes the token, never this. */
export type Who = { userId: number; role: Role; name: string; table?: string; seating?: number };
type Kept = { access: string; refresh: string; /** By this device's clock, in ms. */ until: number };

export type Session = {
  who: () => Who | null;
  /** Takes a pair that a sign-in answered. */
  begin: (pair: TokenPair) => void;
  end: () => { refreshToken: string } | null;
  /**
   * An access token that is good for some seconds yet, and is not `stale`; null where nobody is signed in.
   * @throws CallFailure where it has ended and cannot be refreshed now
   */
  token: (stale?: string) => Promise<string | null>;
  /** Called at sign-in, at sign-out and when a session ends by itself, in another tab too. */
  onChange: (listener: (who: Who | null) => void) => () => void;
  close: () => void;
};
type Options = {
  storage: Storage;
  name: string;
  lock: DeviceLock;
  refresh: (refreshToken: string) => Promise<TokenPair>;
  now?: () => number;
};

/** A token is renewed when it has so long left, so that none ends on its way. */
const marginMs = 20_000;

/** One session a device: every tab that shares the storage has the same, and one of them refreshes for all. */
export function createSession({ storage, name, lock, refresh, now = Date.now }: Options): Session {
  const listeners = new Set<(who: Who | null) => void>();
  let told = identity(read());
  let refreshing: Promise<string | null> | null = null;

  function read(): Kept | null {
    const kept = readItem(storage, name) as Partial<Kept> | null;
    return kept && typeof kept.access === 'string' && typeof kept.refresh === 'string' ? (kept as Kept) : null;
  }
  function write(kept: Kept | null): void {
    if (kept) storage.setItem(name, JSON.stringify(kept));
    else storage.removeItem(name);
    tell();
  }
  function tell(): void {
    const who = identity(read());
    if (who === told) return;
    told = who;
    for (const listener of listeners) listener(parseWho(read()));
  }
  const toKept = ({ access_token, refresh_token, expires_in }: TokenPair): Kept => ({
    access: access_token,
    refresh: refresh_token,
    until: now() + expires_in * 1000,
  });
  const isFresh = (kept: Kept, stale: string | undefined): boolean =>
    kept.access !== stale && kept.until - now() > marginMs;

  async function refreshOnce(stale: string | undefined): Promise<string | null> {
    const kept = read();
    // Another tab may have done it while this one waited for the lock.
    if (!kept || isFresh(kept, stale)) return kept?.access ?? null;
    try {
      const next = toKept(await refresh(kept.refresh));
      // Signed out meanwhile: that stands.
      if (read()?.refresh !== kept.refresh) return read()?.access ?? null;
      write(next);
      return next.access;
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      if (error.code === 'invalid_refresh_token') {
        if (read()?.refresh === kept.refresh) write(null);
        return read()?.access ?? null;
      }
      if (kept.access !== stale && kept.until > now()) return kept.access;
      throw error;
    }
  }

  const onStorage = (event: Event): void => {
    if ((event as Event & { key?: string | null }).key === name) tell();
  };
  const page = 'document' in globalThis ? (globalThis as unknown as EventTarget) : null;
  page?.addEventListener('storage', onStorage);

  return {
    who: () => parseWho(read()),
    begin: (pair) => write(toKept(pair)),
    end: () => {
      const kept = read();
      write(null);
      return kept && { refreshToken: kept.refresh };
    },
    token: async (stale) => {
      const kept = read();
      if (!kept || isFresh(kept, stale)) return kept?.access ?? null;
      refreshing ??= lock(() => refreshOnce(stale)).finally(() => (refreshing = null));
      return refreshing;
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: () => page?.removeEventListener('storage', onStorage),
  };
}

/** Who it is, as one string: a renewed token of the same user is no change. */
const identity = (kept: Kept | null): string => JSON.stringify(parseWho(kept));

function parseWho(kept: Kept | null): Who | null {
  if (!kept) return null;
  try {
    const [, payload = ''] = kept.access.split('.');
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
      char.charCodeAt(0),
    );
    const { sub, role, name, table, seating } = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>;
    return { userId: Number(sub), role, name, ...(table !== undefined && { table, seating }) } as Who;
  } catch {
    return null;
  }
}
