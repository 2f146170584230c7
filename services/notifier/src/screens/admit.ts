import { problem } from '@comanda/contracts/problems';
import type { Caller, TokenVerifier } from '@comanda/shared/http/token-verifier';
import { decodeCursor } from '../feed/cursor.ts';
import type { Cursor } from '../feed/cursor.ts';
import type { Admission, FeedSocket } from './wire.ts';

/**
 * Who may connect, and from where in the stream.
 * @throws 401 `authentication_required`, `invalid_token`; 403 `forbidden` (a foreign page), `password_change_required`;
 * 400 `validation_failed` (a malformed cursor); 503 `service_unavailable`
 */
export async function admit(
  { handshake }: Pick<FeedSocket, 'handshake'>,
  { tokens, allowedOrigins }: { tokens: TokenVerifier; allowedOrigins: ReadonlySet<string> },
): Promise<Admission> {
  const { auth, headers, query } = handshake;
  if (!isAllowedOrigin(headers, allowedOrigins)) throw problem('forbidden', { detail: 'This origin may not connect.' });
  // What stands in a URL stands in logs and histories as well.
  if ('token' in query || 'access_token' in query)
    throw problem('invalid_token', { detail: 'A token belongs into `auth`, never into the query string.' });
  const token: unknown = auth['token'];
  if (typeof token !== 'string' || token === '') throw problem('authentication_required');
  return { caller: await verifyCaller(token, tokens), after: readCursor(auth['after']) };
}

/** @throws 401 `invalid_token`; 403 `password_change_required`; 503 `service_unavailable` */
export async function verifyCaller(token: string, tokens: TokenVerifier): Promise<Caller> {
  const caller = await tokens.verify(token);
  if (caller.mustChangePassword) throw problem('password_change_required');
  return caller;
}

function readCursor(after: unknown): Cursor | null {
  if (after === undefined || after === null) return null;
  const cursor = typeof after === 'string' ? decodeCursor(after) : null;
  if (cursor) return cursor;
  throw problem('validation_failed', {
    errors: [{ pointer: '/after', detail: 'must be a cursor that the feed gave' }],
  });
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Browsers say which page connects, and cannot be made to lie; anything else says nothing. A page of the same host may,
 * on whatever port (the kitchen app comes from the gateway), and those that are named.
 */
function isAllowedOrigin(
  { origin, host, 'x-forwarded-host': forwarded }: Headers,
  allowed: ReadonlySet<string>,
): boolean {
  if (typeof origin !== 'string') return origin === undefined;
  if (allowed.has(origin)) return true;
  const hostname = URL.parse(origin)?.hostname;
  const hosts = [host, forwarded].map((name) =>
    typeof name === 'string' ? URL.parse(`http://${name}`)?.hostname : null,
  );
  return hostname !== undefined && hosts.includes(hostname);
}
