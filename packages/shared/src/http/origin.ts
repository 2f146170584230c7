export type OriginCheck = {
  /** The `Origin` header of the request. */
  origin: string | undefined;
  /** The host that the client called, with its port if it has one: the `Host` header. */
  host: string | undefined;
  /** Other origins that may call, exactly as browsers send them. */
  allowedOrigins: readonly string[];
  /** Whether a page of the same host must also come from the same port. */
  port: 'same' | 'any';
};

/**
 * Whether a request may come from this origin [RFC 6454]: from a page of the host that it calls, over HTTP or HTTPS, or
 * from one of `allowedOrigins`. A request without `Origin` is allowed, because only browsers send that header.
 */
export function isAllowedOrigin({ origin, host, allowedOrigins, port }: OriginCheck): boolean {
  if (origin === undefined || allowedOrigins.includes(origin)) return true;
  const page = URL.parse(origin);
  if (page === null || page.origin !== origin || !/^https?:$/.test(page.protocol)) return false;
  // Read under the page's scheme, so that a default port is left out on both sides.
  const called = URL.parse(`${page.protocol}//${host ?? ''}`);
  return called !== null && (port === 'same' ? page.host === called.host : page.hostname === called.hostname);
}
