/** What a step-up token says about itself. */
export type TokenFacts = { jti: string; expiresAtMs: number };

/** For this long after a token has expired, an instance may still be posting with it. */
export const undecidedMs = 10_000;

/** Reads a token without verifying it: only for a token that auth-stepup verifies as well. Null if it has no such facts. */
export function readStepUpToken(token: string | undefined): TokenFacts | null {
  try {
    const payload: unknown = JSON.parse(Buffer.from(token?.split('.')[1] ?? '', 'base64url').toString());
    const { jti, exp } = payload as Record<string, unknown>;
    return typeof jti === 'string' && typeof exp === 'number' ? { jti, expiresAtMs: exp * 1000 } : null;
  } catch {
    return null; // not JSON
  }
}
