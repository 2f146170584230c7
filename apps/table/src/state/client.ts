import { createClient } from '@comanda/client';
import { signal } from '@preact/signals';
import { askConsent } from './consent.ts';

/** Counts the attempts to send an order, for the page that says that it is not sent yet. */
export const attempts = signal({ count: 0, lastAt: 0 });

let firstMenu: Promise<Response> | null = null;
/**
 * The page itself asks for the menu while this script is still being loaded. The browser gives that answer to a request
 * that may come from its cache; requests in the meantime share it.
 */
async function fetchFirstMenu(url: string): Promise<Response> {
  firstMenu ??= fetch(url);
  return (await firstMenu).clone();
}
let isMenuRead = false;

async function countingFetch(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const url = input as string;
  const { method = 'GET' } = init;
  if (method === 'GET' && url === `${location.origin}/menu` && !isMenuRead) {
    try {
      return await fetchFirstMenu(url);
    } finally {
      isMenuRead = true;
    }
  }
  if (method !== 'POST' || url !== `${location.origin}/orders`) return fetch(input, init);
  attempts.value = { ...attempts.value, count: attempts.value.count + 1, lastAt: client.now() };
  return fetch(input, init);
}

export const client = createClient({ url: location.origin, fetch: countingFetch, onConsent: askConsent });
