import helmet from 'helmet';
import type { Step } from '../passage.ts';

/**
 * Helmet's headers with a content policy that runs nothing inline and loads nothing from elsewhere but dishes' images.
 * HSTS and `upgrade-insecure-requests` only over TLS: a tablet on `http://192.168.…` must work.
 */
export function createSecurityHeaders({ notifierPublicUrl }: { notifierPublicUrl: string }): Step {
  const build = (transport: 'plain' | 'tls') =>
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
    });
  const plain = build('plain');
  const tls = build('tls');
  return (req, res, next) => (res.locals.client.secure ? tls : plain)(req, res, next);
}
