import type { IncomingMessage } from 'node:http';
import { Problem } from '@comanda/contracts/problem';
import { readBearer } from '@comanda/shared/http/authenticate';
import type { Caller, TokenVerifier } from '@comanda/shared/http/token-verifier';

/** The caller, or the problem with the token. Both are null if no token was sent. */
export type Identity = { caller: Caller | null; tokenProblem: Problem | null };
const anonymous: Identity = { caller: null, tokenProblem: null };

/** Verifies a request's bearer token. If the token was verified before, returns the result directly instead of a promise. */
export function identifyCaller(req: IncomingMessage, tokens: TokenVerifier): Identity | Promise<Identity> {
  const token = readBearer(req);
  if (token === null) return anonymous;
  const caller = tokens.findCached(token);
  return caller ? { caller, tokenProblem: null } : verify(token, tokens);
}

async function verify(token: string, tokens: TokenVerifier): Promise<Identity> {
  try {
    return { caller: await tokens.verify(token), tokenProblem: null };
  } catch (error) {
    if (error instanceof Problem) return { caller: null, tokenProblem: error };
    throw error;
  }
}
