import { signal } from '@preact/signals';
import { timeOut } from '../time-out.ts';
import { buildId } from './build-id.ts';

/** A build of the server that differs from this page's, and when that was noticed, by the device's clock. */
export type NewRelease = { build: string; foundAtMs: number };
type Taken = { build: string; atMs: number };
export type Release = ReturnType<typeof openRelease>;

const key = 'comanda.release';
const checkEveryMs = 300_000;
const patienceMs = 5_000;
/**
 * A page that is still of the old build after a reload does not try the same build again for this long, in
 * milliseconds.
 */
const retryAfterMs = 3_600_000;

/** `folder`: the path of the app, for example `/kitchen`; empty at the root of the server. */
export function openRelease(folder: string) {
  const own = buildId();
  const found = signal<NewRelease | null>(null);
  const before = readTaken();
  /** The time when this page was loaded to take a new release, until the user has read it; null otherwise. */
  const takenAtMs = signal(before?.build === own ? before.atMs : null);
  if (takenAtMs.peek() !== null) writeTaken(null);

  /** The number of requests sent, and the number of the newest one with a response. */
  const questions = { asked: 0, answered: 0 };

  /** Asks the server for its build. Without a response, or with one that is older than another, nothing changes. */
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
  /** Loads the page of the new release if the server has it now: otherwise a screen might be left with nothing. */
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
   * Vite's event for a part of the app that cannot be loaded: if there is a new release, the old one's part is gone.
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
    /** The user has read that a new release was taken. */
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

/** Fetches and parses a file; null without a good response. */
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
