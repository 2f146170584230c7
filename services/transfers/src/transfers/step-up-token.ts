/** The id and the expiry in a step-up token. */
export type TokenFacts = { jti: string; expiresAtMs: number };

/** How long after a token's expiry an instance may still be posting with it, in milliseconds. */
export const undecidedMs = 10_000;

/** Parses a token without verifying it; auth-stepup must verify it too. Returns null if the token lacks these facts. */
export function readStepUpToken(token: string | undefined): TokenFacts | null {
  try {
    const payload: unknown = JSON.parse(Buffer.from(token?.split('.')[1] ?? '', 'base64url').toString());
    const { jti, exp } = payload as Record<string, unknown>;
    return typeof jti === 'string' && typeof exp === 'number' ? { jti, expiresAtMs: exp * 1000 } : null;
  } catch {
    return null; // not JSON
  }
}
