import { signal } from '@preact/signals';
import { timeOut } from '../time-out.ts';
import { buildId } from './build-id.ts';

/** A build that the server has and this page is not of, and when that was noticed, by the clock of the device. */
export type NewRelease = { build: string; foundAtMs: number };
type Taken = { build: string; atMs: number };
export type Release = ReturnType<typeof openRelease>;

const key = 'comanda.release';
const checkEveryMs = 300_000;
const patienceMs = 5_000;
/** A page that is still of the old build after it was loaded again does not try the same build again for so long. */
const retryAfterMs = 3_600_000;

/** `folder`: where the app is, for example `/kitchen`; empty at the root of the server. */
export function openRelease(folder: string) {
  const own = buildId();
  const found = signal<NewRelease | null>(null);
  const before = readTaken();
  /** When this page was loaded to take a new release, until somebody has read it; null otherwise. */
  const takenAtMs = signal(before?.build === own ? before.atMs : null);
  if (takenAtMs.peek() !== null) writeTaken(null);

  /** How many questions were asked, and which of them was answered last. */
  const questions = { asked: 0, answered: 0 };

  /** Asks the server for its build. Without an answer, or with one that is older than another, nothing changes. */
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
  /** Loads the page of the new release, if the server has it at this moment: else a screen might be left with nothing. */
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
  /** Vite sends it when a part of the app cannot be loaded: if there is a new release, the part of the old one is gone. */
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
    /** Somebody has read that a new release was taken. */
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

/** Null if there is no good answer. */
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
    // Without storage nothing is said after the reload.
  }
}
