/** What a step-up token says of itself, read without a key: for tokens that auth-stepup has just judged. */
export type TokenFacts = { jti: string; expiresAtMs: number };

/** Null where this is no such token. */
export function readStepUpToken(token: string | undefined): TokenFacts | null {
  try {
    const payload: unknown = JSON.parse(Buffer.from(token?.split('.')[1] ?? '', 'base64url').toString());
    const { jti, exp } = payload as Record<string, unknown>;
    return typeof jti === 'string' && typeof exp === 'number' ? { jti, expiresAtMs: exp * 1000 } : null;
  } catch {
    return null; // not JSON: not a token
  }
}
