import { buildId } from './build-id.ts';

/**
 * Keeps the files of this app on the device, so that it opens without a network. `folder`: where its `sw.js` is. Browsers do
 * so over TLS only, and some never: the app then needs the network to open, and nothing else.
 */
export function keepForOffline(folder: string): void {
  if (!('serviceWorker' in navigator) || buildId() === '') return;
  const register = async (): Promise<void> => {
    try {
      await navigator.serviceWorker.register(`${folder}/sw.js`, { scope: folder === '' ? '/' : folder });
    } catch {
      // Refused, for example in a private window.
    }
  };
  // What the page shows first comes first.
  if (document.readyState === 'complete') void register();
  else addEventListener('load', () => void register(), { once: true });
}
