import { ConfigError } from '@comanda/shared/config/load-config';
import type { GatewayConfig } from '../config.ts';
import type { LocalCall } from './local-routes.ts';

/**
 * The app that a path belongs to: the guests' app, which includes the API documentation, or the staff app for kitchen, waiters
 * and managers.
 */
type App = 'guests' | 'staff';
/** Redirects a request for an app's page or file to that app's host. Returns false if this is the right host. */
export type RedirectElsewhere = (call: LocalCall, app: App) => boolean;

/**
 * Serves each app only at its own host if `STAFF_URL` is set, so that browsers keep the apps' storage separate. Only `Host`
 * decides which host was called. `X-Forwarded-Host` is never trusted, so a proxy in front must pass on `Host`.
 * @throws ConfigError if both URLs have the same host
 */
export function createAppHosts(config: Pick<GatewayConfig, 'publicUrl' | 'staffUrl'>): RedirectElsewhere {
  if (config.staffUrl === '') return () => false;
  const [guests, staff] = [new URL(config.publicUrl), new URL(config.staffUrl)];
  // The hosts are compared without the default port, as browsers send them in `Host`.
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
    // The redirect is not cached, because the setting may change.
    res.writeHead(308, { Location: url, 'Cache-Control': 'no-store' }).end();
    return true;
  };
}
