import { caller } from './call.ts';
import type { Call, Called } from './call.ts';
import type { House } from './house.ts';

export const pin = '739152';
export const otherPin = '862047';
export const wrongPin = '604817';
export const transferKey = 'internal_transfer.create';
export const depositKey = 'account_deposit.create';
export const resetKey = 'transaction_password.reset';

/** What a house is set to so that races do not end at its limits. */
export const withoutLimits = {
  RATE_LIMIT_USER: '1000000',
  RATE_LIMIT_ADDRESS: '1000000',
  RATE_LIMIT_STEP_UP: '1000000',
  RATE_LIMIT_SIGN_IN: '1000000',
  RATE_LIMIT_SIGN_IN_FAILURES: '1000000',
};

/** Somebody who came through the gateway, and everything that they do there. */
export type Guest = { id: number; email: string; password: string; token: string; call: Call };

export async function enter(house: House, name: string): Promise<Guest> {
  const person = await house.customer(name);
  const call = caller(house.gatewayUrl, { token: person.token });
  return { ...person, call, id: (await call('GET', '/auth/me')).body.id };
}
export const created = ({ status, body, text }: Called): Called['body'] => {
  if (status !== 201) throw new Error(`not created: ${status} ${text}`);
  return body;
};
export const choosePin = (call: Call, chosen = pin): Promise<Called> =>
  call('POST', '/security/transaction-password', { body: { transaction_password: chosen, confirmation: chosen } });
export const stepUp = (call: Call, tried = pin, endpointKey = transferKey): Promise<Called> =>
  call('POST', '/security/step-up', { body: { endpoint_key: endpointKey, transaction_password: tried } });
export const tokenFor = async (call: Call, endpointKey = transferKey, of = pin): Promise<string> =>
  created(await stepUp(call, of, endpointKey)).step_up_token;
export const openAccount = async (call: Call): Promise<number> =>
  created(await call('POST', '/accounts', { body: {} })).id;
export const codeOf = ({ status, body }: Called): string => `${status} ${body?.code ?? ''}`.trim();
