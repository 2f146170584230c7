import { caller, type Call } from '@comanda/testing/call';

/** A user who stays signed in during the whole run. */
export type SignedIn = {
  call: Call;
  /** Returns the newest access token. */
  token: () => string;
  /** Registers a listener that is called with each new access token. */
  onToken: (listener: (token: string) => void) => void;
  close: () => void;
};
export type TokenPair = { access_token: string; refresh_token: string; expires_in: number };

/** How many seconds before its expiry an access token is refreshed. */
const reserveS = 60;
const againAfterMs = 1_000;

/** Keeps a user signed in: refreshes the tokens before they expire, as the apps do. */
export function staySignedIn(gatewayUrl: string, first: TokenPair): SignedIn {
  const anyone = caller(gatewayUrl);
  const listeners: ((token: string) => void)[] = [];
  let pair = first;
  let timer = later();

  function later(ms = (pair.expires_in - reserveS) * 1000): NodeJS.Timeout {
    return setTimeout(() => void refresh(), ms).unref();
  }
  async function refresh(): Promise<void> {
    const body = { refresh_token: pair.refresh_token };
    const response = await anyone('POST', '/auth/refresh', { body }).catch(() => null);
    if (response?.status !== 200) {
      timer = later(againAfterMs); // It is safe to send the same refresh token again, because its response may have been lost.
      return;
    }
    pair = response.body as TokenPair;
    timer = later();
    for (const listener of listeners) listener(pair.access_token);
  }
  return {
    call: (method, path, options) => anyone(method, path, { token: pair.access_token, ...options }),
    token: () => pair.access_token,
    onToken: (listener) => void listeners.push(listener),
    close: () => clearTimeout(timer),
  };
}
