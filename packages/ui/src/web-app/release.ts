import { signal } from '@preact/signals';
import { timeOut } from '../time-out.ts';
import { buildId } from './build-id.ts';

/** A server build that differs from this page's, and when that was noticed, by the device's clock. */
export type NewRelease = { build: string; foundAtMs: number };
type Taken = { build: string; atMs: number };
export type Release = ReturnType<typeof openRelease>;

const key = 'comanda.release';
const checkEveryMs = 300_000;
const patienceMs = 5_000;
/**
 * If a page still has the old build after a reload, it waits this long in milliseconds before it tries the same new build again.
 */
const retryAfterMs = 3_600_000;

/** Watches for new releases of the app. `folder`: the app's path, for example `/kitchen`; empty at the server's root. */
export function openRelease(folder: string) {
  const own = buildId();
  const found = signal<NewRelease | null>(null);
  const before = readTaken();
  /** The time when this page was loaded for a new release, until the user has read that; otherwise null. */
  const takenAtMs = signal(before?.build === own ? before.atMs : null);
  if (takenAtMs.peek() !== null) writeTaken(null);

  /** The number of requests sent, and the number of the newest request with a response. */
  const questions = { asked: 0, answered: 0 };

  /** Fetches the server's build. Nothing changes without a response, or if a newer request already has a response. */
  async function check(): Promise<void> {
    if (own === '') return;
    const question = ++questions.asked;
    const build = await read(
      `${folder}/config.json`,
      async (response) => ((await response.json()) as { build?: string }).build,
    );
    if (build === null || question < questions.answered) return;
    questions.answered = question;
    if (build === undefined || build === '' || build === own) found.value = null;
    else if (found.peek()?.build !== build) found.value = { build, foundAtMs: Date.now() };
  }
  /** Reloads the page for the new release, but only if the server already has its page: otherwise a screen might end up empty. */
  async function take(): Promise<void> {
    const build = found.peek()?.build;
    const tried = readTaken();
    if (build === undefined || (tried?.build === build && Date.now() - tried.atMs < retryAfterMs)) return;
    const page = await read(folder === '' ? '/' : folder, (response) => response.text());
    if (!page?.includes(`content="${build}"`)) return;
    writeTaken({ build, atMs: Date.now() });
    location.reload();
  }
  const onVisible = (): void => void (document.visibilityState === 'visible' && check());
  /**
   * Handles Vite's event for a part of the app that can't be loaded: if there is a new release, the old release's part is gone.
   */
  const onPartMissing = (): void => void check().then(take);
  const timer = setInterval(() => void check(), checkEveryMs);
  addEventListener('vite:preloadError', onPartMissing);
  document.addEventListener('visibilitychange', onVisible);
  void check();
  return {
    found,
    takenAtMs,
    check,
    take,
    /** Called when the user has read that a new release was loaded. */
    dismiss: (): void => {
      takenAtMs.value = null;
    },
    close: (): void => {
      clearInterval(timer);
      removeEventListener('vite:preloadError', onPartMissing);
      document.removeEventListener('visibilitychange', onVisible);
    },
  };
}

/** Fetches and parses a file; null without a successful response. */
async function read<T>(path: string, parse: (response: Response) => Promise<T>): Promise<T | null> {
  try {
    const response = await fetch(path, { cache: 'no-store', signal: timeOut(patienceMs) });
    return response.ok ? await parse(response) : null;
  } catch {
    return null;
  }
}

function readTaken(): Taken | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') as Taken | null;
  } catch {
    return null;
  }
}
function writeTaken(taken: Taken | null): void {
  try {
    if (taken) sessionStorage.setItem(key, JSON.stringify(taken));
    else sessionStorage.removeItem(key);
  } catch {
    // Without storage, nothing is shown after the reload.
  }
}
