import { timeOut } from '@comanda/ui/time-out.ts';
import { onDevice } from '../on-device.ts';

const patienceMs = 4_000;

/**
 * Returns the live feed's URLs: the notifier first, so that the board stays live while the gateway restarts, then the gateway.
 * Without a network, returns the last known URLs.
 */
export async function readFeedUrls(): Promise<string[]> {
  const notifierUrl = (await readNotifierUrl()) ?? onDevice.notifierUrl.get();
  return notifierUrl === '' ? [location.origin] : [notifierUrl, location.origin];
}

async function readNotifierUrl(): Promise<string | null> {
  try {
    const answer = await fetch('/kitchen/config.json', { signal: timeOut(patienceMs) });
    const { notifier_url: url } = (await answer.json()) as { notifier_url: string };
    onDevice.notifierUrl.write(url);
    return url;
  } catch {
    return null; // the board itself shows that it can't reach the server
  }
}
