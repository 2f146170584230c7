import type { IncomingMessage } from 'node:http';
import { Problem } from '@comanda/contracts/problems';
import { readBearer } from '@comanda/shared/http/authenticate';
import type { Caller, TokenVerifier } from '@comanda/shared/http/token-verifier';

/** Who calls, or why the token that came was not taken; neither where none came. */
export type Identity = { caller: Caller | null; refusal: Problem | null };
const nobody: Identity = { caller: null, refusal: null };

/** At once where the token is remembered; else a promise. */
export function identify(req: IncomingMessage, tokens: TokenVerifier): Identity | Promise<Identity> {
  const token = readBearer(req);
  if (token === null) return nobody;
  const caller = tokens.remembered(token);
  return caller ? { caller, refusal: null } : verify(token, tokens);
}

async function verify(token: string, tokens: TokenVerifier): Promise<Identity> {
  try {
    return { caller: await tokens.verify(token), refusal: null };
  } catch (error) {
    if (error instanceof Problem) return { caller: null, refusal: error };
    throw error;
  }
}
