import { timeOut } from '../time-out.ts';
import { buildId } from './build-id.ts';

const patienceMs = 5_000;

/**
 * Reloads the page because a part of the app could not be loaded: after a failed import, Chromium fails every later import of the
 * same part. Reloads only if the server can be reached, because otherwise nothing would be left of the page.
 */
export async function loadPageAgain(): Promise<void> {
  if ((await readBuild()) !== null) location.reload();
}

/**
 * Reloads the page like `loadPageAgain`, for a part that is needed now. Does nothing if the server has a new release:
 * `openRelease` loads and shows that.
 */
export async function loadBuildAgain(): Promise<void> {
  if ((await readBuild()) === buildId()) location.reload();
}

/** Fetches the server's build; null if the server can't be reached. */
async function readBuild(): Promise<string | null> {
  try {
    const url = `${location.pathname.replace(/\/$/, '')}/config.json`;
    const response = await fetch(url, { cache: 'no-store', signal: timeOut(patienceMs) });
    return response.ok ? ((await response.json()) as { build: string }).build : null;
  } catch {
    return null;
  }
}
