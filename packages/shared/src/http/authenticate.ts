import type { IncomingMessage } from 'node:http';
import type { AnyEndpoint } from '@comanda/contracts/endpoint';
import { problem } from '@comanda/contracts/problem';
import type { Caller, TokenVerifier } from './token-verifier.ts';

type AccessRule = { contract: Pick<AnyEndpoint, 'who'>; tokens: TokenVerifier | null };

/**
 * Returns the caller, who is identified only by the bearer token [RFC 6750]. Null for an endpoint that anyone may call; a token
 * is then ignored.
 * @throws 401 `authentication_required`, `invalid_token`; 403 `forbidden` for a role from a newer release
 */
export async function authenticate(req: IncomingMessage, { contract, tokens }: AccessRule): Promise<Caller | null> {
  const token = readBearer(req);
  if (token === null || !tokens) {
    if (contract.who === 'anyone') return null;
    throw problem('authentication_required');
  }
  if (contract.who === 'anyone') return null;
  return tokens.verify(token);
}

/** Returns the request's bearer token [RFC 6750] without verifying it; null if there is none. */
export function readBearer(req: IncomingMessage): string | null {
  const { authorization } = req.headers;
  if (authorization === undefined) return null;
  const [, token] = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization) ?? [];
  return token ?? null;
}

/**
 * Checks that the caller's role and state allow this endpoint.
 * @throws 403 `password_change_required`, `forbidden`, `account_required`; 401 `reauthentication_required`
 */
export function authorize(contract: AnyEndpoint, caller: Caller | null): void {
  if (contract.who === 'anyone' || !caller) return;
  if (caller.mustChangePassword && contract.mustChangePassword !== 'allowed') throw problem('password_change_required');
  if (!contract.who.includes(caller.role)) throw problem('forbidden');
  if (contract.account === 'required' && caller.guest) throw problem('account_required');
  // Guests have no password. Tokens from releases before tablets have no `amr`, because all sign-ins used a password then.
  const isOfPassword = caller.amr.length === 0 || caller.amr.includes('pwd');
  if (contract.passwordSignIn === 'required' && !isOfPassword) throw passwordSignInRequired();
}

/** Creates the problem that asks the client for a sign-in with the password [RFC 9470]. */
const passwordSignInRequired = () =>
  problem(
    'reauthentication_required',
    { detail: 'You signed in with a tablet PIN. Sign in with email and password for this call.' },
    { 'WWW-Authenticate': 'Bearer error="insufficient_user_authentication", acr_values="urn:comanda:password"' },
  );
