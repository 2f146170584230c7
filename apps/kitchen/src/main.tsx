import { createClient } from '@comanda/client';
import { render } from 'preact';
import '@comanda/ui/tokens.css';
import '@comanda/ui/base.css';
import { readSetting, writeSetting } from '@comanda/ui/stored-setting.ts';
import { App } from './app.tsx';

/** The notifier itself, so that the board stays live while the gateway restarts; else through the gateway. */
async function feedUrls(): Promise<string[]> {
  const answer = await fetch('/kitchen/config.json');
  const { notifier_url: notifierUrl } = (await answer.json()) as { notifier_url: string };
  return notifierUrl === '' ? [location.origin] : [notifierUrl, location.origin];
}

/** The name of this screen, as reports of seen orders give it. */
function deviceName(): string {
  const stored = readSetting('kitchen.device');
  if (stored !== null) return stored;
  const made = `kitchen-${Math.random().toString(36).slice(2, 6)}`;
  writeSetting('kitchen.device', made);
  return made;
}

const urls = await feedUrls().catch(() => [location.origin]); // the board says by itself that nothing is reached
const client = createClient({
  url: location.origin,
  feedUrls: urls,
  // Only managers make calls that need a PIN.
  onConsent: async (request) => (await import('./manager/consent.ts')).askConsent(client, request),
});
const root = document.querySelector('#app');
if (root) render(<App client={client} device={deviceName()} />, root);
