import { detailsOf } from '@comanda/contracts/agreed-details';
import type { AnyEndpoint } from '@comanda/contracts/endpoint';
import { created, type Call } from '@comanda/testing/call';
import { pin } from '@comanda/testing/step-up-calls';

/** Returns a step-up token for exactly this request. */
export async function consentFor({ stepUp }: AnyEndpoint, call: Call, input: Record<string, unknown>) {
  if (!stepUp || stepUp.demanded) return {};
  const details = [detailsOf(stepUp.details, input)];
  const body = { endpoint_key: stepUp.key, transaction_password: pin, authorization_details: details };
  return { 'x-step-up-token': created(await call('POST', '/security/step-up', { body })).step_up_token };
}

export const fill = (path: string, params: Record<string, unknown>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(String(params[name])));
