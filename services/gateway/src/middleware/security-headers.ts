import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';
import type { Client } from '@comanda/shared/http/client-address';

/** The security headers of a response to this client: alternating names and values. */
export type SecurityHeaders = (client: Client) => readonly string[];

/**
 * Helmet's headers. The content policy allows no inline code, and nothing from other hosts except images of dishes and the
 * notifier. HSTS and `upgrade-insecure-requests` are sent over TLS only, because a tablet at `http://192.168.…` must work. The
 * headers do not depend on the request, so helmet runs once.
 */
export function createSecurityHeaders({ notifierPublicUrl }: { notifierPublicUrl: string }): SecurityHeaders {
  const build = (transport: 'plain' | 'tls') =>
    headersOf(
      helmet({
        contentSecurityPolicy: {
          useDefaults: false,
          directives: {
            // Applies to everything without its own line below: workers, manifests, sounds.
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
 * The content policy of the page at `/docs`: its reader adds style sheets and style attributes to the page. It allows more styles
 * but nothing else, and no images of other hosts, which styles could load.
 */
export const docsContentPolicy = (policy: string): string =>
  policy
    .replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
    .replace("img-src 'self' https: data:", "img-src 'self' data:");

const policyOfFiles = "default-src 'none'; frame-ancestors 'none'; sandbox";

/** Sets the policy for a response with a file, so that browsers run and load nothing in it. */
export function setFilePolicy(responseHeaders: string[]): void {
  const at = responseHeaders.findIndex((name) => name.toLowerCase() === 'content-security-policy');
  responseHeaders[at + 1] = policyOfFiles;
}

type Middleware = (req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void) => void;

/** The headers that `middleware` sets. The middleware must do nothing else. */
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
