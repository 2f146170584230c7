import type { BodyOf } from '@comanda/contracts/endpoint';
import type { stepUp } from '@comanda/contracts/security';
import { CallFailure } from './failure.ts';
import { wait } from './random.ts';
import type { CallName } from './typing.ts';

type StepUp = BodyOf<typeof stepUp>;
/** What the user is asked to agree to. */
export type ConsentRequest = {
  call: CallName;
  /** What the call was given: show it to the user. */
  input: unknown;
  endpointKey: string;
  /** Why the last PIN was not taken, with `attempts_remaining`; none at the first time. */
  refused?: CallFailure;
};
/** The PIN that the user gave, and with `authorization_details` what exactly it is for; null: the user does not agree. */
export type Consent = Pick<StepUp, 'transaction_password' | 'authorization_details'>;
export type AskConsent = (request: ConsentRequest) => Promise<Consent | null>;

/** How often a PIN check is repeated that found too many others in flight. */
const busyTries = 5;

/**
 * Asks until the PIN is right, and proves it.
 * @throws CallFailure: the user does not agree (`step_up_required`), or the PIN is blocked, absent or cannot be checked
 */
export async function obtainConsent(
  request: ConsentRequest,
  { ask, prove, refusal }: { ask: AskConsent; prove: (body: StepUp) => Promise<string>; refusal: CallFailure },
): Promise<string> {
  const consent = await ask(request);
  if (!consent) throw refusal;
  try {
    return await proveWhenFree(() => prove({ ...consent, endpoint_key: request.endpointKey }));
  } catch (error) {
    if (!(error instanceof CallFailure) || error.code !== 'transaction_password_invalid') throw error;
    return obtainConsent({ ...request, refused: error }, { ask, prove, refusal });
  }
}

async function proveWhenFree(prove: () => Promise<string>, tries = busyTries): Promise<string> {
  try {
    return await prove();
  } catch (error) {
    if (!(error instanceof CallFailure) || error.code !== 'transaction_password_busy' || tries <= 1) throw error;
    await wait(error.retryAfterMs ?? 1000);
    return proveWhenFree(prove, tries - 1);
  }
}
