import { randomUUID } from 'node:crypto';
import type { AuthorizationDetails } from '@comanda/contracts/security';
import { createConsentStore } from '../../../auth-stepup/src/consent/consent-store.ts';
import { createStepUpTokens } from '../../../auth-stepup/src/consent/step-up-token.ts';
import { signerAt } from '../../../auth-stepup/src/keys/key-ring.ts';
import type { AuthStepup } from '../../../auth-stepup/test/support/harness.ts';

export const transferKey = 'internal_transfer.create';
export const depositKey = 'account_deposit.create';

type Wanted = {
  userId: number;
  endpointKey: string;
  details?: AuthorizationDetails;
  /** Milliseconds since the epoch at which it was issued; now by default. */
  issuedAt?: number;
};
export type Mint = (wanted: Wanted) => Promise<string>;

/** Step-up tokens as auth-stepup issues them for a right PIN, without the time that a PIN takes. */
export function createMint(auth: Pick<AuthStepup, 'keys' | 'redis'>, clock: () => number = Date.now): Mint {
  const consent = createConsentStore(auth.redis);
  let signing: ReturnType<typeof signerOf> | null = null;
  const signerOf = async (): Promise<NonNullable<ReturnType<typeof signerAt>>> => {
    const signer = signerAt(await auth.keys.all(), clock());
    if (!signer) throw new Error('no key signs');
    return signer;
  };
  let before: Promise<unknown> = Promise.resolve();
  async function issue({ userId, endpointKey, details, issuedAt = clock() }: Wanted): Promise<string> {
    const { kid, privateKey } = await (signing ??= signerOf());
    if (!privateKey) throw new Error('no key signs');
    const keys = { signer: () => ({ kid, privateKey }), verifier: () => undefined };
    const tokens = createStepUpTokens({ keys, issuer: 'comanda', clock: () => issuedAt });
    const jti = randomUUID();
    const reserved = await consent.reserve(userId, clock());
    if (reserved.is !== 'reserved') throw new Error(`no place for a check: ${reserved.is}`);
    const right = { now: clock(), reservation: reserved.id, pinVersion: 1, token: { jti, livesMs: 120_000 } };
    const settled = await consent.settleRight(userId, right);
    if (settled !== 'right') throw new Error(`no token: ${settled}`);
    return tokens.issue({ jti, userId, endpointKey, details: details ?? null });
  }
  // One after the other: of one user's checks at most three may be under way.
  return (wanted) => {
    const issued = before.then(() => issue(wanted));
    before = issued.catch(() => undefined); // who asked is told
    return issued;
  };
}
