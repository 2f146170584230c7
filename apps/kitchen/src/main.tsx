import { createClient } from '@comanda/client';
import { render } from 'preact';
import '@comanda/ui/tokens.css';
import '@comanda/ui/base.css';
import { App } from './app.tsx';
import { createConsentGate } from './consent-gate.ts';
import { openDevice } from './device/device.ts';

/** The notifier itself, so that the board stays live while the gateway restarts; else through the gateway. */
async function feedUrls(): Promise<string[]> {
  const answer = await fetch('/kitchen/config.json');
  const { notifier_url: notifierUrl } = (await answer.json()) as { notifier_url: string };
  return notifierUrl === '' ? [location.origin] : [notifierUrl, location.origin];
}

const urls = await feedUrls().catch(() => [location.origin]); // the board says by itself that nothing is reached
const consent = createConsentGate();
const client = createClient({
  url: location.origin,
  feedUrls: urls,
  onConsent: consent.ask,
  onPasswordChangeRequired: () => void client.signOut(),
});
const root = document.querySelector('#app');
if (root) render(<App client={client} consent={consent} device={openDevice()} />, root);
