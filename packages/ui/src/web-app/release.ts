import { signal } from '@preact/signals';
import { onDevice } from '../on-device.ts';
import { timeOut } from '../time-out.ts';
import { buildId } from './build-id.ts';

/** A new build on the server, and when this page found it, in milliseconds by the device's clock. */
export type NewRelease = { build: string; foundAtMs: number };
export type Release = ReturnType<typeof openRelease>;

const checkEveryMs = 300_000;
const patienceMs = 5_000;
/** How long to wait before another reload for the same build, if the page is still old after a reload, in milliseconds. */
const retryAfterMs = 3_600_000;

/** Watches for new releases of the app. `folder` is the app's path, for example `/kitchen`. It is empty at the server's root. */
export function openRelease(folder: string) {
  const own = buildId();
  const found = signal<NewRelease | null>(null);
  const before = onDevice.release.get();
  /** When the page was reloaded for a new release. Null if it was not, or if the user has read the message about the release. */
  const takenAtMs = signal(before?.build === own ? before.atMs : null);
  if (takenAtMs.peek() !== null) onDevice.release.write(null);

  /** `asked` is the number of requests so far. `answered` is the number of the newest request that has a response. */
  const questions = { asked: 0, answered: 0 };

  /** Fetches the server's build number. Ignores a failed request, and a response that arrives after that of a newer request. */
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
  /** Reloads the page if the server has the page of the new release. Without this check, the screen might stay empty. */
  async function take(): Promise<void> {
    const build = found.peek()?.build;
    const tried = onDevice.release.get();
    if (build === undefined || (tried?.build === build && Date.now() - tried.atMs < retryAfterMs)) return;
    const page = await read(folder === '' ? '/' : folder, (response) => response.text());
    if (!page?.includes(`content="${build}"`)) return;
    onDevice.release.write({ build, atMs: Date.now() });
    location.reload();
  }
  const onVisible = (): void => void (document.visibilityState === 'visible' && check());
  /** Handles Vite's event for a part of the app that failed to load. After a new release, the old part may no longer exist. */
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
    /** Hides the message about the new release. */
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

/** Fetches and parses a file. Returns null if the request fails or its status is an error. */
async function read<T>(path: string, parse: (response: Response) => Promise<T>): Promise<T | null> {
  try {
    const response = await fetch(path, { cache: 'no-store', signal: timeOut(patienceMs) });
    return response.ok ? await parse(response) : null;
  } catch {
    return null;
  }
}
