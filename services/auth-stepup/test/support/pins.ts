import type { PinState } from '@comanda/contracts/pin';
import type { TestUser } from '@comanda/testing/auth-stepup-process';
import type { Called } from '@comanda/testing/call';
import { compareSync, hashSync } from 'bcryptjs';
import { pinSetEvent } from '../../src/pin/pin-events.ts';
import type { FairTurns } from '../../src/passwords/fair-turns.ts';
import { createPinHasher } from '../../src/pin/pin-hasher.ts';
import { createPinStore } from '../../src/pin/pin-store.ts';
import type { AuthStepupHarness } from './harness.ts';

export const pin = '739152';
export const otherPin = '862047';
export const wrongPin = '604817';
export const resetKey = 'transaction_password.reset';
export const transferKey = 'internal_transfer.create';
export const manageKey = 'user.manage';

type Who = { token: string };

export const createPin = (auth: AuthStepupHarness, who: Who, chosen = pin): Promise<Called> =>
  auth.as(who)('POST', '/security/transaction-password', {
    body: { transaction_password: chosen, confirmation: chosen },
  });

/** The lowest bcrypt cost. A hash takes 2 ms, compared with 0.3 s in production. */
export const testHashCost = 4;

const quickHasher = {
  hash: async (text: string) => hashSync(text, testHashCost),
  matches: async (text: string, hash: string | null) => compareSync(text, hash ?? ''),
  close: async () => undefined,
};
const atOnce: FairTurns = { take: async () => ({ [Symbol.dispose]: () => undefined }), countWaiting: () => 0 };
/** Stores the user's PIN as the service would, hashed at the lowest cost. */
export async function storePin(
  { connection, env, clock }: Pick<AuthStepupHarness, 'connection' | 'clock'> & { env: NodeJS.ProcessEnv },
  { id: userId }: { id: number },
  chosen = pin,
) {
  const pins = createPinStore(connection);
  const holder = await pins.findByUser(userId);
  if (!holder) throw new Error(`no user ${userId}`);
  const now = clock();
  const hashed = await createPinHasher({ hasher: quickHasher, turns: atOnce, peppers: env['PIN_PEPPER'] ?? '' }).hash({
    pin: chosen,
    owner: { userId, network: '', group: 'customers' as const },
  });
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const event = pinSetEvent('created', { userId, version: holder.pinVersion + 1, now, traceparent });
  if (!(await pins.insert(holder, { ...hashed, now }, event))) throw new Error(`user ${userId} has a PIN`);
}

export const stepUp = (auth: AuthStepupHarness, who: Who, body: Record<string, unknown> = {}): Promise<Called> =>
  auth.as(who)('POST', '/security/step-up', {
    body: { endpoint_key: transferKey, transaction_password: pin, ...body },
  });

export async function tokenFor(auth: AuthStepupHarness, who: Who, body: Record<string, unknown> = {}): Promise<string> {
  const { status, body: response, text } = await stepUp(auth, who, body);
  if (status !== 201) throw new Error(`no step-up token: ${text}`);
  return response.step_up_token;
}

/** Issues several tokens to a user, one after another because concurrent PIN checks are limited. */
export async function tokensFor(auth: AuthStepupHarness, who: Who, count: number): Promise<string[]> {
  const tokens: string[] = [];
  while (tokens.length < count) tokens.push(await tokenFor(auth, who));
  return tokens;
}

/** Spends a token as a service does before a sensitive write. */
export const consume = (auth: AuthStepupHarness, who: Who, body: Record<string, unknown>): Promise<Called> =>
  auth.as(who)('POST', '/internal/step-up/consume', { body: { endpoint_key: transferKey, ...body } });

export const pinState = async (auth: AuthStepupHarness, who: Who): Promise<PinState> =>
  (await auth.as(who)('GET', '/security/transaction-password')).body;

/** Sends a request as a manager with a PIN. Each request gets a new step-up token for `POST /users` and `PUT /users/{id}`. */
const manage = async (
  auth: AuthStepupHarness,
  manager: Who,
  { method, path, body }: { method: 'POST' | 'PUT'; path: string; body: object },
): Promise<Called> =>
  auth.as(manager)(method, path, {
    body,
    headers: { 'x-step-up-token': await tokenFor(auth, manager, { endpoint_key: manageKey }) },
  });
export const createUser = (auth: AuthStepupHarness, manager: Who, body: object): Promise<Called> =>
  manage(auth, manager, { method: 'POST', path: '/users', body });
export const inviteUser = (auth: AuthStepupHarness, manager: Who, body: object): Promise<Called> =>
  manage(auth, manager, { method: 'POST', path: '/invitations', body });
export type UserChange = { id: number; change: object };
export const changeUser = (auth: AuthStepupHarness, manager: Who, { id, change }: UserChange): Promise<Called> =>
  manage(auth, manager, { method: 'PUT', path: `/users/${id}`, body: change });

export async function managerWithPin(auth: AuthStepupHarness): Promise<TestUser> {
  const manager = await auth.manager();
  await storePin(auth, manager);
  return manager;
}
