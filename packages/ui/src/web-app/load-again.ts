import { timeOut } from '../time-out.ts';
import { buildId } from './build-id.ts';

const patienceMs = 5_000;

/**
 * Loads the page again, because a part of the app could not be loaded: Chromium gives the failure of an import to each later one.
 * Only if the server can be reached, else nothing would be left of the page.
 */
export async function loadPageAgain(): Promise<void> {
  if ((await readBuild()) !== null) location.reload();
}

/** The same, for a part that is needed now, unless the server has a new release: `openRelease` takes that, and says so. */
export async function loadBuildAgain(): Promise<void> {
  if ((await readBuild()) === buildId()) location.reload();
}

/** The build that the server has; null if it cannot be reached. */
async function readBuild(): Promise<string | null> {
  try {
    const url = `${location.pathname.replace(/\/$/, '')}/config.json`;
    const response = await fetch(url, { cache: 'no-store', signal: timeOut(patienceMs) });
    return response.ok ? ((await response.json()) as { build: string }).build : null;
  } catch {
    return null;
  }
}
