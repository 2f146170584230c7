import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';
import type { Client } from '@comanda/shared/http/client-address';

/** Name and value in turn. */
export type SecurityHeaders = (client: Client) => readonly string[];

/**
 * Helmet's headers with a content policy that runs nothing inline and loads nothing from elsewhere but dishes' images.
 * HSTS and `upgrade-insecure-requests` only over TLS: a tablet on `http://192.168.…` must work. They are the same on
 * every answer, so helmet is asked once.
 */
export function createSecurityHeaders({ notifierPublicUrl }: { notifierPublicUrl: string }): SecurityHeaders {
  const build = (transport: 'plain' | 'tls') =>
    headersOf(
      helmet({
        contentSecurityPolicy: {
          useDefaults: false,
          directives: {
            defaultSrc: ["'self'"],
            baseUri: ["'none'"],
            connectSrc: ["'self'", notifierPublicUrl, notifierPublicUrl.replace(/^http/, 'ws')],
            formAction: ["'self'"],
            frameAncestors: ["'none'"],
            imgSrc: ["'self'", 'https:', 'data:'],
            objectSrc: ["'none'"],
            scriptSrcAttr: ["'none'"],
            ...(transport === 'tls' && { upgradeInsecureRequests: [] }),
          },
        },
        strictTransportSecurity: transport === 'tls',
      }),
    );
  const plain = build('plain');
  const tls = build('tls');
  return ({ secure }) => (secure ? tls : plain);
}

type Middleware = (req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void) => void;

/** What a middleware that only sets headers sets. */
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
