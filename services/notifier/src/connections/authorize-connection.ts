import { problem } from '@comanda/contracts/problem';
import { isAllowedOrigin } from '@comanda/shared/http/origin';
import type { Caller, TokenVerifier } from '@comanda/shared/http/token-verifier';
import { decodeCursor, type Cursor } from '../feed/cursor.ts';
import type { ConnectionData, FeedSocket } from './socket-types.ts';

type Tokens = Pick<TokenVerifier, 'verify'>;
type Deps = { tokens: Tokens; allowedOrigins: readonly string[] };
type Handshake = Pick<FeedSocket['handshake'], 'auth' | 'headers' | 'query'>;

/**
 * Checks the client's token, the origin of its page, and its cursor.
 * @throws 401 `authentication_required`, `invalid_token`; 403 `forbidden` (a foreign page, or a role from a newer release),
 * `password_change_required`; 400 `validation_failed` (a malformed cursor); 503 `service_unavailable`
 */
export async function authorizeConnection(
  { tokens, allowedOrigins }: Deps,
  { auth, headers, query }: Handshake,
): Promise<ConnectionData> {
  if (!isFromAllowedPage(headers, allowedOrigins))
    throw problem('forbidden', {
      detail: "Pages of this origin can't connect. An operator can add it to `ALLOWED_ORIGINS`.",
    });
  // A token in a URL would end up in logs and browser histories.
  if ('token' in query || 'access_token' in query)
    throw problem('invalid_token', { detail: 'Send the token in `auth`, never in the query string.' });
  const token: unknown = auth['token'];
  if (typeof token !== 'string' || token === '') throw problem('authentication_required');
  return { caller: await verifyCaller(tokens, token), token, after: readCursor(auth['after']) };
}

/**
 * Verifies a token and returns its caller.
 * @throws 401 `invalid_token`; 403 `forbidden` (a role from a newer release), `password_change_required`; 503
 * `service_unavailable`
 */
export async function verifyCaller(tokens: Tokens, token: string): Promise<Caller> {
  const caller = await tokens.verify(token);
  if (caller.mustChangePassword) throw problem('password_change_required');
  return caller;
}

function readCursor(after: unknown): Cursor | null {
  if (after === undefined || after === null) return null;
  const cursor = typeof after === 'string' ? decodeCursor(after) : null;
  if (cursor) return cursor;
  throw problem('validation_failed', {
    errors: [{ pointer: '/after', detail: 'must be a cursor that the feed sent' }],
  });
}

/**
 * Checks the page's origin. Behind the gateway or another proxy, `X-Forwarded-Host` contains the host that the page requested.
 * This header is trusted from any sender, because the check protects browser users from foreign pages: in a WebSocket handshake,
 * a page can only set the protocol header. Other programs can fake any `Origin` anyway.
 */
function isFromAllowedPage(headers: Handshake['headers'], allowedOrigins: readonly string[]): boolean {
  const { origin, host, 'x-forwarded-host': forwardedHost } = headers;
  return isAllowedOrigin({ origin, host: typeof forwardedHost === 'string' ? forwardedHost : host, allowedOrigins });
}
