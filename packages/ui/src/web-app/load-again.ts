import { timeOut } from '../time-out.ts';
import { buildId } from './build-id.ts';

const patienceMs = 5_000;

/**
 * Reloads the page after a part of the app failed to load. Importing the part again would not help, because Chromium fails all
 * later imports of the same file. Does nothing if the server can't be reached, because the page would then be empty.
 */
export async function loadPageAgain(): Promise<void> {
  if ((await readBuild()) !== null) location.reload();
}

/**
 * Does the same as `loadPageAgain`, but only if the server still has this page's release. Otherwise, `openRelease` reloads the
 * page and tells the user about the new release.
 */
export async function loadBuildAgain(): Promise<void> {
  if ((await readBuild()) === buildId()) location.reload();
}

/** Returns the server's build number, or null if the server can't be reached. */
async function readBuild(): Promise<string | null> {
  try {
    const url = `${location.pathname.replace(/\/$/, '')}/config.json`;
    const response = await fetch(url, { cache: 'no-store', signal: timeOut(patienceMs) });
    return response.ok ? ((await response.json()) as { build: string }).build : null;
  } catch {
    return null;
  }
}
