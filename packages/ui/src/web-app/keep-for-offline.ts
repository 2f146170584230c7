import { buildId } from './build-id.ts';

/**
 * Stores this app's files on the device, so the app opens without a network. `folder` is the path of its `sw.js`. Browsers allow
 * this only over TLS, and some never do. The app then needs the network to open.
 */
export function keepForOffline(folder: string): void {
  if (!('serviceWorker' in navigator) || buildId() === '') return;
  const register = async (): Promise<void> => {
    try {
      await navigator.serviceWorker.register(`${folder}/sw.js`, { scope: folder === '' ? '/' : folder });
    } catch {
      // The browser forbids the registration, for example in a private window.
    }
  };
  // Waits until the page itself has finished loading.
  if (document.readyState === 'complete') void register();
  else addEventListener('load', () => void register(), { once: true });
}
