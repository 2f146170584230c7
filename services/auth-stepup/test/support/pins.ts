import type { PinState } from '@comanda/contracts/security';
import type { Called } from '@comanda/testing/call';
import type { AuthStepupHarness } from './harness.ts';

export const pin = '739152';
export const otherPin = '862047';
export const wrongPin = '604817';
export const resetKey = 'transaction_password.reset';
export const transferKey = 'internal_transfer.create';

type Who = { token: string };

export const createPin = (auth: AuthStepupHarness, who: Who, chosen = pin): Promise<Called> =>
  auth.as(who)('POST', '/security/transaction-password', {
    body: { transaction_password: chosen, confirmation: chosen },
  });

export const stepUp = (auth: AuthStepupHarness, who: Who, body: Record<string, unknown> = {}): Promise<Called> =>
  auth.as(who)('POST', '/security/step-up', {
    body: { endpoint_key: transferKey, transaction_password: pin, ...body },
  });

/** A token for `endpoint_key`. */
export async function tokenFor(auth: AuthStepupHarness, who: Who, body: Record<string, unknown> = {}): Promise<string> {
  const { status, body: answer, text } = await stepUp(auth, who, body);
  if (status !== 201) throw new Error(`no step-up token: ${text}`);
  return answer.step_up_token;
}

/** What a service asks before a sensitive write. */
export const consume = (auth: AuthStepupHarness, who: Who, body: Record<string, unknown>): Promise<Called> =>
  auth.as(who)('POST', '/internal/step-up/consume', { body: { endpoint_key: transferKey, ...body } });

export const pinState = async (auth: AuthStepupHarness, who: Who): Promise<PinState> =>
  (await auth.as(who)('GET', '/security/transaction-password')).body;
