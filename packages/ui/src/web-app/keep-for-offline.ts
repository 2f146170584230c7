import { buildId } from './build-id.ts';

/**
 * Stores this app's files on the device, so that the app opens without a network. `folder`: the path of its `sw.js`. Browsers
 * allow this only over TLS, and some never do; then only opening the app needs the network.
 */
export function keepForOffline(folder: string): void {
  if (!('serviceWorker' in navigator) || buildId() === '') return;
  const register = async (): Promise<void> => {
    try {
      await navigator.serviceWorker.register(`${folder}/sw.js`, { scope: folder === '' ? '/' : folder });
    } catch {
      // Registration is not allowed here, for example in a private window.
    }
  };
  // Waits until the page has finished its own first load.
  if (document.readyState === 'complete') void register();
  else addEventListener('load', () => void register(), { once: true });
}
