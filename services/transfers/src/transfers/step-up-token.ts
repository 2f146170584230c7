/** A step-up token's id, and its expiry in milliseconds since the epoch. */
export type TokenFacts = { jti: string; expiresAtMs: number };

/** How long after a token's expiry an instance may still post with it, in milliseconds. */
export const undecidedMs = 10_000;

/** Parses a token without verifying it: only auth-stepup can verify it. Returns null if the token lacks its id or its expiry. */
export function readStepUpToken(token: string | undefined): TokenFacts | null {
  try {
    const payload: unknown = JSON.parse(Buffer.from(token?.split('.')[1] ?? '', 'base64url').toString());
    const { jti, exp } = payload as Record<string, unknown>;
    return typeof jti === 'string' && typeof exp === 'number' ? { jti, expiresAtMs: exp * 1000 } : null;
  } catch {
    return null; // not JSON
  }
}
