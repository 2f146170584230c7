import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';
import type { Client } from '@comanda/shared/http/client-address';

/** Returns the security headers for a response to this client, as alternating names and values. */
export type SecurityHeaders = (client: Client) => readonly string[];

/**
 * Creates the security headers with helmet. The content policy allows no inline code, and nothing from other hosts except images
 * of dishes and the notifier. HSTS and `upgrade-insecure-requests` are sent over TLS only, because a tablet at `http://192.168.…`
 * must work. The headers do not depend on the request, so helmet runs once.
 */
export function createSecurityHeaders({ notifierPublicUrl }: { notifierPublicUrl: string }): SecurityHeaders {
  const build = (transport: 'plain' | 'tls') =>
    headersOf(
      helmet({
        contentSecurityPolicy: {
          useDefaults: false,
          directives: {
            // Applies to everything that has no line of its own below: workers, manifests, sounds.
            defaultSrc: ["'self'"],
            baseUri: ["'none'"],
            connectSrc: ["'self'", notifierPublicUrl, notifierPublicUrl.replace(/^http/, 'ws')],
            fontSrc: ["'self'"],
            formAction: ["'self'"],
            frameAncestors: ["'none'"],
            imgSrc: ["'self'", 'https:', 'data:'],
            objectSrc: ["'none'"],
            scriptSrc: ["'self'"],
            scriptSrcAttr: ["'none'"],
            styleSrc: ["'self'"],
            ...(transport === 'tls' && { upgradeInsecureRequests: [] }),
          },
        },
        strictTransportSecurity: transport === 'tls',
        xFrameOptions: { action: 'deny' },
      }),
    );
  const plain = build('plain');
  const tls = build('tls');
  return ({ secure }) => (secure ? tls : plain);
}

/**
 * Returns the content policy for the page at `/docs`, whose reader adds style sheets and style attributes to the page. The policy
 * allows more styles but nothing else. It allows no images from other hosts, because styles could load them.
 */
export const docsContentPolicy = (policy: string): string =>
  policy
    .replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
    .replace("img-src 'self' https: data:", "img-src 'self' data:");

const policyOfFiles = "default-src 'none'; frame-ancestors 'none'; sandbox";

/** Sets the policy for a response that contains a file, so that browsers run and load nothing in the file. */
export function setFilePolicy(responseHeaders: string[]): void {
  const at = responseHeaders.findIndex((name) => name.toLowerCase() === 'content-security-policy');
  responseHeaders[at + 1] = policyOfFiles;
}

type Middleware = (req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void) => void;

/** Returns the headers that `middleware` sets. The middleware must do nothing else. */
function headersOf(middleware: Middleware): readonly string[] {
  const headers: string[] = [];
  const res = {
    setHeader: (name: string, value: string) => headers.push(name, value),
    removeHeader: () => undefined,
  } as unknown as ServerResponse;
  middleware({} as IncomingMessage, res, (error) => {
    if (error !== undefined) throw error;
  });
  return headers;
}
