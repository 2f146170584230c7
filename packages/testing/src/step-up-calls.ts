import { caller, created, type Call, type Called } from './call.ts';
import type { Stack } from './stack.ts';

export const pin = '739152';
export const otherPin = '862047';
export const wrongPin = '604817';
export const transferKey = 'internal_transfer.create';
export const depositKey = 'account_deposit.create';
export const resetKey = 'transaction_password.reset';

/** Settings for a stack with rate limits so high that concurrent tests never reach them. */
export const withoutLimits = {
  RATE_LIMIT_USER: '1000000',
  RATE_LIMIT_STAFF: '1000000',
  RATE_LIMIT_ADDRESS: '1000000',
  RATE_LIMIT_REFUSED: '1000000',
  RATE_LIMIT_ADDRESS_USERS: '1000000',
  RATE_LIMIT_STEP_UP: '1000000',
  RATE_LIMIT_SIGN_IN: '1000000',
  RATE_LIMIT_SIGN_IN_ADDRESS: '1000000',
  RATE_LIMIT_REGISTRATION: '1000000',
  RATE_LIMIT_SIGN_IN_FAILURES: '1000000',
  RATE_LIMIT_REFRESH: '1000000',
};

/** A customer who registered through the gateway, with a function that calls the gateway as this customer. */
export type RegisteredCustomer = { id: number; email: string; password: string; token: string; call: Call };

export async function registerCustomer(stack: Stack, name: string): Promise<RegisteredCustomer> {
  const customer = await stack.customer(name);
  const call = caller(stack.gatewayUrl, { token: customer.token });
  return { ...customer, call, id: (await call('GET', '/auth/me')).body.id };
}
export const choosePin = (call: Call, chosen = pin): Promise<Called> =>
  call('POST', '/security/transaction-password', { body: { transaction_password: chosen, confirmation: chosen } });
export const stepUp = (call: Call, tried = pin, endpointKey = transferKey): Promise<Called> =>
  call('POST', '/security/step-up', { body: { endpoint_key: endpointKey, transaction_password: tried } });
export const tokenFor = async (call: Call, endpointKey = transferKey, of = pin): Promise<string> =>
  created(await stepUp(call, of, endpointKey)).step_up_token;
export const openAccount = async (call: Call): Promise<number> =>
  created(await call('POST', '/accounts', { body: {} })).id;
/** Gets a step-up token for these details. Their `type` says for which kind of call the token is. */
export async function consentTo(call: Call, details: { type: string } & Record<string, unknown>): Promise<string> {
  const body = {
    endpoint_key: `${details.type}.create`,
    transaction_password: pin,
    authorization_details: [details],
  };
  return created(await call('POST', '/security/step-up', { body })).step_up_token;
}
