export type OriginCheck = {
  /** The request's `Origin` header. */
  origin: string | undefined;
  /** The host that the client called, with or without a port: the `Host` header. */
  host: string | undefined;
  /** Other origins whose pages may call the service, written exactly as browsers send them. */
  allowedOrigins: readonly string[];
};

/**
 * Returns true if a page from this origin [RFC 6454] may open the live feed: a page from the called host, over HTTP or HTTPS and
 * on any port, or from one of `allowedOrigins`. A request without `Origin` is allowed, because only browsers send that header.
 * Gateway and notifier share this rule. The port does not matter, because the gateway serves the kitchen app, which calls the
 * notifier on another port.
 */
export function isAllowedOrigin({ origin, host, allowedOrigins }: OriginCheck): boolean {
  if (origin === undefined || allowedOrigins.includes(origin)) return true;
  const page = URL.parse(origin);
  if (page === null || page.origin !== origin || !/^https?:$/.test(page.protocol)) return false;
  const called = URL.parse(`${page.protocol}//${host ?? ''}`);
  return called !== null && page.hostname === called.hostname;
}
