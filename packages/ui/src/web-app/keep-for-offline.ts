import { buildId } from './build-id.ts';

/**
 * Registers the service worker, which stores the app's files so that the app opens without a network. `folder` is the path of
 * `sw.js`. Some browsers don't allow this, and none do without TLS. The app then needs the network to open.
 */
export function keepForOffline(folder: string): void {
  if (!('serviceWorker' in navigator) || buildId() === '') return;
  const register = async (): Promise<void> => {
    try {
      await navigator.serviceWorker.register(`${folder}/sw.js`, { scope: folder === '' ? '/' : folder });
    } catch {
      // Some browsers forbid service workers, for example in a private window.
    }
  };
  // The service worker starts to load files only after the page itself has loaded.
  if (document.readyState === 'complete') void register();
  else addEventListener('load', () => void register(), { once: true });
}
