import type { Client } from '@comanda/shared/http/client-address';

/** Returns the security headers for a response to this client, as alternating names and values. */
export type SecurityHeaders = (client: Client) => readonly string[];

/**
 * Creates the security headers. The content policy allows no inline code, and nothing from other hosts except dish images and
 * connections to the notifier. HSTS and `upgrade-insecure-requests` are sent over TLS only, because tablets that use
 * `http://192.168.…` must keep working.
 */
export function createSecurityHeaders({ notifierPublicUrl }: { notifierPublicUrl: string }): SecurityHeaders {
  const plain = headersFor({ notifierPublicUrl, secure: false });
  const tls = headersFor({ notifierPublicUrl, secure: true });
  return ({ secure }) => (secure ? tls : plain);
}

function headersFor({ notifierPublicUrl, secure }: { notifierPublicUrl: string; secure: boolean }): readonly string[] {
  const contentPolicy = [
    "default-src 'self'", // applies to everything without its own line below: workers, manifests, sounds
    "base-uri 'none'",
    `connect-src 'self' ${notifierPublicUrl} ${notifierPublicUrl.replace(/^http/, 'ws')}`,
    "font-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "img-src 'self' https: data:",
    "object-src 'none'",
    "script-src 'self'",
    "script-src-attr 'none'",
    "style-src 'self'",
    ...(secure ? ['upgrade-insecure-requests'] : []),
  ].join(';');
  const headers: Record<string, string> = {
    'Content-Security-Policy': contentPolicy,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Origin-Agent-Cluster': '?1',
    'Referrer-Policy': 'no-referrer',
    ...(secure && { 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' }),
    'X-Content-Type-Options': 'nosniff',
    'X-DNS-Prefetch-Control': 'off',
    'X-Download-Options': 'noopen',
    'X-Frame-Options': 'DENY',
    'X-Permitted-Cross-Domain-Policies': 'none',
    'X-XSS-Protection': '0',
  };
  return Object.entries(headers).flat();
}

/**
 * Returns the content policy for the page at `/docs`, where the API reference adds style sheets and style attributes. In addition
 * to the normal policy, it allows these styles. It allows no images from other hosts, because styles could load them.
 */
export const docsContentPolicy = (policy: string): string =>
  policy
    .replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
    .replace("img-src 'self' https: data:", "img-src 'self' data:");

const policyOfFiles = "default-src 'none'; frame-ancestors 'none'; sandbox";

/**
 * Sets the content policy for a response that contains a file, so that browsers neither run the file nor load anything that the
 * file refers to.
 */
export function setFilePolicy(responseHeaders: string[]): void {
  const at = responseHeaders.findIndex((name) => name.toLowerCase() === 'content-security-policy');
  responseHeaders[at + 1] = policyOfFiles;
}
