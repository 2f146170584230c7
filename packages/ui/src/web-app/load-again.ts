import { timeOut } from '../time-out.ts';
import { buildId } from './build-id.ts';

const patienceMs = 5_000;

/**
 * Reloads the page because a part of the app could not be loaded: Chromium repeats the failure of an import for each
 * later one. Only if the server can be reached, otherwise nothing would be left of the page.
 */
export async function loadPageAgain(): Promise<void> {
  if ((await readBuild()) !== null) location.reload();
}

/**
 * Reloads the page like `loadPageAgain`, for a part that is needed now, unless the server has a new release:
 * `openRelease` takes that and shows it.
 */
export async function loadBuildAgain(): Promise<void> {
  if ((await readBuild()) === buildId()) location.reload();
}

/** The server's build; null if the server cannot be reached. */
async function readBuild(): Promise<string | null> {
  try {
    const url = `${location.pathname.replace(/\/$/, '')}/config.json`;
    const response = await fetch(url, { cache: 'no-store', signal: timeOut(patienceMs) });
    return response.ok ? ((await response.json()) as { build: string }).build : null;
  } catch {
    return null;
  }
}
