import { buildId } from './build-id.ts';

/**
 * Stores the files of this app on the device, so that it opens without a network. `folder`: where its `sw.js` is.
 * Browsers do so only over TLS, and some never: then only opening the app needs the network.
 */
export function keepForOffline(folder: string): void {
  if (!('serviceWorker' in navigator) || buildId() === '') return;
  const register = async (): Promise<void> => {
    try {
      await navigator.serviceWorker.register(`${folder}/sw.js`, { scope: folder === '' ? '/' : folder });
    } catch {
      // Registration is not allowed, for example in a private window.
    }
  };
  // The page's own first load goes first.
  if (document.readyState === 'complete') void register();
  else addEventListener('load', () => void register(), { once: true });
}
