import type { AnyDetails } from '@comanda/contracts/agreed-details';
import type { BodyOf } from '@comanda/contracts/endpoint';
import type { stepUp } from '@comanda/contracts/security';
import { CallFailure } from '../call-failure.ts';
import type { CallName } from './call-types.ts';

type StepUpBody = BodyOf<typeof stepUp>;
/** What the user is asked to agree to. */
export type ConsentRequest = {
  call: CallName;
  /** The input of the call. */
  input: Readonly<Record<string, unknown>>;
  endpointKey: string;
  /**
   * What exactly the call does: show it to the user. The step-up token is for this, and for nothing else. Null if the input
   * does not say all of it, as a transfer without `currency`: then the token is for any call with this endpoint key.
   */
  details: AnyDetails | null;
  /** Why the server asks: `step_up_required` at first; another code if it did not accept an earlier consent. */
  challenge: CallFailure;
  /** Why the last PIN was refused, with `attempts_remaining`; not set the first time. */
  refused?: CallFailure;
};
/** The user's PIN. `authorization_details` replace the `details` of the request. null: the user does not agree. */
export type Consent = Pick<StepUpBody, 'transaction_password' | 'authorization_details'>;
export type AskConsent = (request: ConsentRequest) => Promise<Consent | null>;
type Deps = {
  askConsent: AskConsent;
  /** Exchanges the PIN for a step-up token. */
  stepUp: (body: StepUpBody) => Promise<string>;
};

/**
 * Asks the user until the PIN is right, and returns a step-up token.
 * @throws CallFailure `challenge` if the user does not agree, or why the PIN cannot be checked: it is blocked, or not set
 */
export async function requestStepUpToken(
  { askConsent, stepUp }: Deps,
  { request, challenge }: { request: ConsentRequest; challenge: CallFailure },
): Promise<string> {
  const { endpointKey, details } = request;
  const agreed = details ? { authorization_details: [details] } : {};
  let refused: CallFailure | undefined;
  for (;;) {
    const consent = await askConsent({ ...request, ...(refused && { refused }) });
    if (!consent) throw challenge;
    try {
      return await stepUp({ ...agreed, ...consent, endpoint_key: endpointKey });
    } catch (error) {
      if (!(error instanceof CallFailure) || error.code !== 'transaction_password_invalid') throw error;
      refused = error;
    }
  }
}
