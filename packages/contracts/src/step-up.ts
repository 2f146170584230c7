import { bills } from './bills.ts';
import { calls } from './calls.ts';
import { days } from './day.ts';
import { endpoint, roles, type AnyEndpoint } from './endpoint.ts';
import { menu } from './menu.ts';
import { optionGroups } from './option-groups.ts';
import { orders } from './orders.ts';
import { checksPin, pin, pinEndpoints } from './pin.ts';
import { restaurantEndpoints } from './restaurant.ts';
import { pixEndpoints } from './pix.ts';
import { maxPinAttempts, pinBlockMinutes, stepUpTokenSeconds } from './rules.ts';
import { id, list, object, oneOf, optional, text, type Infer } from './schema.ts';
import { stations } from './stations.ts';
import { anyDetails, endpointKey, readStepUpKeys, type StepUpKey } from './step-up-keys.ts';
import { stopEndpoints } from './stops.ts';
import { tables } from './tables.ts';
import { tablets } from './tablets.ts';
import { transfers } from './transfers.ts';
import { users } from './users.ts';

/** The calls that need a step-up token. */
export const sensitive = [
  ...users,
  ...tables,
  ...tablets,
  ...stopEndpoints,
  ...optionGroups,
  ...menu, // after the groups: the audit trail's schema takes the last `name`, and names of dishes are longer
  ...restaurantEndpoints,
  ...orders,
  ...bills,
  ...days,
  ...calls,
  ...stations,
  ...transfers,
  ...pixEndpoints,
  ...pinEndpoints,
].filter(({ stepUp: needed }: AnyEndpoint) => needed !== undefined);
/** The details that a user authorizes with the PIN [RFC 9396]: a list with exactly one element. */
export const authorizationDetails = list(anyDetails(sensitive)).min(1).max(1);
export type AuthorizationDetails = Infer<typeof authorizationDetails>;

/** The properties of each step-up key, keyed by the key. */
export const stepUpKeys: ReadonlyMap<string, StepUpKey> = readStepUpKeys(sensitive);
const stepUpToken = () => text(4096).example('eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiI1In0.c2lnbmF0dXJl');
export const stepUp = endpoint({
  service: 'auth-stepup',
  method: 'POST',
  path: '/security/step-up',
  name: 'stepUp',
  who: roles,
  liveSession: 'use_case',
  account: 'required',
  limit: 'step_up',
  passwordSignIn: 'required',
  summary: 'Exchange your PIN for a step-up token, valid for one call of one endpoint',
  details: `After ${maxPinAttempts} wrong PINs in a row the PIN is blocked for ${pinBlockMinutes} minutes; in that time the right PIN is rejected too. The token is valid for ${stepUpTokenSeconds} seconds. With \`authorization_details\` it is valid only for a call with exactly these details.`,
  body: object({
    endpoint_key: endpointKey(),
    transaction_password: pin(),
    authorization_details: optional(authorizationDetails),
  }).example({
    endpoint_key: 'internal_transfer.create',
    transaction_password: '739152',
    authorization_details: [
      { type: 'internal_transfer', from_account_id: 11, to_account_id: 12, amount: '12.50', currency: 'BRL' },
    ],
  }),
  exampleNeeds: 'a PIN',
  responses: {
    201: {
      about: 'The token; send it once, in `X-Step-Up-Token`',
      body: object({
        step_up_token: stepUpToken(),
        token_type: oneOf('step-up'),
        expires_in: id().example(stepUpTokenSeconds),
        endpoint_key: endpointKey(),
      }),
    },
  },
  problems: [...checksPin, 'endpoint_key_unknown', 'authorization_details_invalid', 'forbidden', 'transfers_stopped'],
});

export const stepUpEndpoints = [stepUp];
