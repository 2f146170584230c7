import type { AnyDetails } from '@comanda/contracts/agreed-details';
import type { BodyOf } from '@comanda/contracts/endpoint';
import type { stepUp } from '@comanda/contracts/step-up';
import { CallFailure } from '../call-failure.ts';
import type { Calls } from './calls.ts';
import { detailsOfCall, stepUpOf } from './details-of-call.ts';

type StepUpBody = BodyOf<typeof stepUp>;
/** A request to the user to authorize a call with the PIN. */
export type ConsentRequest = {
  call: keyof Calls;
  /** The call's input. */
  input: Readonly<Record<string, unknown>>;
  endpointKey: string;
  /**
   * The exact details to show to the user, such as payee and amount. The step-up token is valid only for these details. Null if
   * the input lacks a detail, such as a transfer's `currency`. The token is then valid for any call with this endpoint key.
   */
  details: AnyDetails | null;
  /**
   * The server's reason for requiring authorization: `step_up_required` for the first request, or the code with which the
   * server rejected an earlier authorization.
   */
  challenge: CallFailure;
  /** Why the server rejected the last PIN, with `attempts_remaining`. Absent at the first attempt. */
  refused?: CallFailure;
};
/** The user's PIN. If `authorization_details` is set, it replaces the request's `details`. */
export type Consent = Pick<StepUpBody, 'transaction_password' | 'authorization_details'>;
export type AskConsent = (request: ConsentRequest) => Promise<Consent | null>;
type Deps = {
  askConsent: AskConsent;
  /** Exchanges the PIN for a step-up token. */
  stepUp: (body: StepUpBody) => Promise<string>;
};

/**
 * Asks the user for the PIN until it is right, and returns a step-up token.
 * @throws CallFailure `challenge` if the user cancels, or the reason why the PIN can't be checked (it is blocked or not set)
 */
export async function requestStepUpToken(
  { askConsent, stepUp }: Deps,
  { call, input: given, challenge }: Pick<ConsentRequest, 'call' | 'input' | 'challenge'>,
): Promise<string> {
  const rule = stepUpOf(call);
  if (!rule) throw challenge;
  const input = { ...given };
  const details = detailsOfCall(call, input);
  const request = { call, input, endpointKey: rule.key, details, challenge };
  const agreed = details ? { authorization_details: [details] } : {};
  let refused: CallFailure | undefined;
  for (;;) {
    const consent = await askConsent({ ...request, ...(refused && { refused }) });
    if (!consent) throw challenge;
    try {
      return await stepUp({ ...agreed, ...consent, endpoint_key: rule.key });
    } catch (error) {
      if (!(error instanceof CallFailure) || error.code !== 'transaction_password_invalid') throw error;
      refused = error;
    }
  }
}
