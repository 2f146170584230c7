import { timeOut } from '../time-out.ts';
import { buildId } from './build-id.ts';

const patienceMs = 5_000;

/**
 * Reloads the page if a part of the app could not be loaded, because after a failed import, Chromium fails all later imports of
 * that part. Without a connection to the server, there is no reload, because it would leave an empty page.
 */
export async function loadPageAgain(): Promise<void> {
  if ((await readBuild()) !== null) location.reload();
}

/**
 * Like `loadPageAgain`, for a part that is needed now. If the server has a new release, does nothing, because `openRelease` then
 * loads the page and tells the user.
 */
export async function loadBuildAgain(): Promise<void> {
  if ((await readBuild()) === buildId()) location.reload();
}

/** Fetches the server's build number, or null if the server can't be reached. */
async function readBuild(): Promise<string | null> {
  try {
    const url = `${location.pathname.replace(/\/$/, '')}/config.json`;
    const response = await fetch(url, { cache: 'no-store', signal: timeOut(patienceMs) });
    return response.ok ? ((await response.json()) as { build: string }).build : null;
  } catch {
    return null;
  }
}
