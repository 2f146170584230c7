import { ConfigError } from '@comanda/shared/config/load-config';
import type { GatewayConfig } from '../config.ts';
import type { LocalCall } from './local-routes.ts';

/** The guests' app with the API's documentation, or the app of kitchen, waiters and managers. */
type App = 'guests' | 'staff';
/** Sends a request for a page or a file of an app to the host where that app is. Returns false if it is here. */
export type RedirectElsewhere = (call: LocalCall, app: App) => boolean;

/**
 * With `STAFF_URL`, each app is at its own host alone, so that a browser keeps apart what they store. Only `Host` says which
 * host was called: `X-Forwarded-Host` is believed from nobody, so a proxy in front passes on `Host`.
 * @throws ConfigError if both URLs have one host
 */
export function createAppHosts(config: Pick<GatewayConfig, 'publicUrl' | 'staffUrl'>): RedirectElsewhere {
  if (config.staffUrl === '') return () => false;
  const [guests, staff] = [new URL(config.publicUrl), new URL(config.staffUrl)];
  // Without the port of the scheme, as browsers send it in `Host`.
  if (guests.host === staff.host)
    throw new ConfigError([
      `STAFF_URL: has the host of PUBLIC_URL (${staff.host}). Give it another one, such as https://staff.example.com, or leave it out`,
    ]);
  const isStaffHost = (host = ''): boolean => URL.parse(`${staff.protocol}//${host}`)?.host === staff.host;

  return ({ state: { target }, req, res }, app) => {
    const isHere = isStaffHost(req.headers.host) === (app === 'staff');
    if (isHere) return false;
    const isStartPage = app === 'guests' && target === '/';
    const url = isStartPage ? `${staff.origin}/kitchen` : (app === 'staff' ? staff : guests).origin + target;
    // Not kept: the setting may change.
    res.writeHead(308, { Location: url, 'Cache-Control': 'no-store' }).end();
    return true;
  };
}
