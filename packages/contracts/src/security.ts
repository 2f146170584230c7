import Joi from 'joi';
import { bills } from './bills.ts';
import { calls } from './calls.ts';
import { endpoint, manager, roles, type AnyEndpoint, type BodyOf } from './endpoint.ts';
import { menu } from './menu.ts';
import { orders } from './orders.ts';
import { restaurantEndpoints } from './restaurant.ts';
import {
  auditDays,
  maxPinAttempts,
  pinBlockMinutes,
  recentSignInMinutes,
  resetApprovalMinutes,
  stepUpLists,
  stepUpTokenSeconds,
} from './rules.ts';
import {
  count,
  documented,
  id,
  list,
  component,
  nullable,
  object,
  oneOf,
  optional,
  pagesByNumber,
  pagesByTimeOfEvents,
  secret,
  tableName,
  text,
  time,
  yesOrNo,
  type Infer,
} from './schema.ts';
import { stations } from './stations.ts';
import { anyDetails, readStepUpKeys, describedDetails, type StepUpKey } from './step-up-keys.ts';
import { stopEndpoints } from './stops.ts';
import { tables } from './tables.ts';
import { tablets } from './tablets.ts';
import { transfers } from './transfers.ts';
import { role, users } from './users.ts';

/** Creates a schema for exactly six ASCII digits. The service checks if they are too easy to guess. */
const pin = () =>
  documented(
    Joi.string()
      .pattern(/^[0-9]{6}$/)
      .messages({ 'string.pattern.base': '{{#label}} must be exactly six digits' })
      .example('739152'),
    { schema: { format: 'password' } },
  );
const password = () => secret(255).min(1).example('mesa-farofa-violao');
const endpointKey = () =>
  Joi.string()
    .max(64)
    .pattern(/^[a-z][a-z_.]*$/)
    .messages({ 'string.pattern.base': '{{#label}} must be lower-case words joined by dots or underscores' })
    .example('internal_transfer.create');
const stepUpToken = () => text(4096).example('eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiI1In0.c2lnbmF0dXJl');

export const pinState = component(
  'TransactionPassword',
  object({
    status: oneOf('absent', 'usable', 'blocked'),
    created_at: optional(time()),
    blocked_until: optional(time()),
    attempts_remaining: optional(count().max(maxPinAttempts)),
  }),
);
export type PinState = Infer<typeof pinState>;
const usablePin = pinState.example({
  status: 'usable',
  created_at: '2026-11-20T21:00:00.000Z',
  attempts_remaining: maxPinAttempts,
});

const checksPin = [
  'transaction_password_absent',
  'transaction_password_invalid',
  'transaction_password_blocked',
  'transaction_password_busy',
  'reauthentication_required',
] as const;

export const createPin = endpoint({
  service: 'auth-stepup',
  method: 'POST',
  path: '/security/transaction-password',
  name: 'createTransactionPassword',
  who: roles,
  limit: 'step_up',
  account: 'required',
  passwordSignIn: 'required',
  summary: `Create your PIN; requires a sign-in within the last ${recentSignInMinutes} minutes`,
  body: object({ transaction_password: pin(), confirmation: secret(255).example('739152') }),
  responses: { 201: { about: 'The state of the new PIN', body: usablePin } },
  problems: [
    'transaction_password_exists',
    'transaction_password_weak',
    'confirmation_mismatch',
    'reauthentication_required',
    'reset_too_soon',
  ],
});
export const getPinState = endpoint({
  service: 'auth-stepup',
  method: 'GET',
  path: '/security/transaction-password',
  name: 'transactionPassword',
  who: roles,
  account: 'required',
  passwordSignIn: 'required',
  summary: 'Get whether you have a PIN and whether it is blocked',
  responses: { 200: { about: 'The state of the PIN', body: usablePin } },
  problems: [],
});
export const changePin = endpoint({
  service: 'auth-stepup',
  method: 'PUT',
  path: '/security/transaction-password',
  name: 'changeTransactionPassword',
  who: roles,
  limit: 'step_up',
  account: 'required',
  passwordSignIn: 'required',
  summary: 'Change your PIN and revoke your unused step-up tokens',
  body: object({
    current: pin(),
    transaction_password: pin().example('284619'),
    confirmation: secret(255).example('284619'),
  }),
  responses: { 200: { about: 'The state of the new PIN', body: usablePin } },
  problems: [...checksPin, 'transaction_password_weak', 'confirmation_mismatch'],
});
export const approvePinReset = endpoint({
  service: 'auth-stepup',
  method: 'POST',
  path: '/users/{id}/transaction-password-resets',
  name: 'approveTransactionPasswordReset',
  who: manager,
  account: 'required',
  stepUp: {
    key: 'transaction_password.reset',
    details: { type: 'transaction_password_reset', members: { user_id: 'id' } },
  },
  idempotencyKey: 'accepted',
  summary: `Approve that another user sets a new PIN within ${resetApprovalMinutes} minutes`,
  params: { id: id().example(5) },
  responses: {
    201: {
      about: 'The approval, valid for one use',
      body: object({ expires_at: time().example('2026-11-20T21:15:00.000Z') }),
      headers: ['Idempotent-Replayed'],
    },
  },
  problems: ['not_found', 'forbidden', 'transaction_password_absent'],
});

/** The calls that need a step-up token. */
const sensitive = [
  ...users,
  ...tables,
  ...tablets,
  ...stopEndpoints,
  ...menu,
  ...restaurantEndpoints,
  ...orders,
  ...bills,
  ...calls,
  ...stations,
  ...transfers,
  approvePinReset,
].filter(({ stepUp: needed }: AnyEndpoint) => needed !== undefined);
/** The details that the user authorizes [RFC 9396]. */
export const authorizationDetails = list(anyDetails(sensitive)).min(1).max(1);
export type AuthorizationDetails = Infer<typeof authorizationDetails>;

/** All step-up keys. */
export const stepUpKeys: ReadonlyMap<string, StepUpKey> = readStepUpKeys(sensitive);

export const resetPin = endpoint({
  service: 'auth-stepup',
  method: 'POST',
  path: '/security/transaction-password/reset',
  name: 'resetTransactionPassword',
  who: roles,
  limit: 'step_up',
  account: 'required',
  passwordSignIn: 'required',
  summary: 'Set a new PIN after a manager has approved the reset; also ends a block',
  body: object({
    password: password(),
    transaction_password: pin(),
    confirmation: secret(255).example('739152'),
  }),
  responses: { 200: { about: 'The state of the new PIN', body: usablePin } },
  problems: [
    'reset_not_approved',
    'reset_too_soon',
    'password_invalid',
    'password_blocked',
    'transaction_password_weak',
    'confirmation_mismatch',
  ],
});
export const stepUp = endpoint({
  service: 'auth-stepup',
  method: 'POST',
  path: '/security/step-up',
  name: 'stepUp',
  who: roles,
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
export const securityEvents = endpoint({
  service: 'auth-stepup',
  method: 'GET',
  path: '/security/events',
  name: 'securityEvents',
  who: roles,
  passwordSignIn: 'required',
  summary: 'List the security events of your PIN, tokens and sign-ins, newest first',
  details:
    '`step_up_issued` has the `endpoint_key` that the PIN was entered for and, if given, the `authorization_details`. `step_up_spent` has them too, once the token was used. Its `address` is `service`, because a service spends the token. `jti` identifies the token in both.',
  query: pagesByTimeOfEvents,
  responses: {
    200: {
      about: 'One page',
      body: list(
        component(
          'SecurityEvent',
          object({
            type: text(64).example('signed_in'),
            time: time(),
            address: text(64).example('203.0.113.7'),
            user_agent: text(255).example('Mozilla/5.0'),
            endpoint_key: optional(endpointKey()),
            authorization_details: optional(list(describedDetails(sensitive))),
            jti: optional(text(64).example('0b1f7d5e-4a55-4d0f-8a5b-0d6f1e8f6c11')),
          }),
        ),
      ),
      headers: ['Link'],
    },
  },
  problems: [],
});

export const auditTypes = [
  'user_created',
  'user_invited',
  'invitation_withdrawn',
  'invitation_accepted',
  'role_changed',
  'user_disabled',
  'user_enabled',
  'password_set_by_manager',
  'transaction_password_reset_approved',
  'table_added',
  'table_code_changed',
  'table_removed',
  'signing_key_revoked',
  'transfers_stopped',
  'transfers_resumed',
  'sign_ups_stopped',
  'sign_ups_resumed',
  'tablet_registered',
  'tablet_revoked',
] as const;
export type AuditType = (typeof auditTypes)[number];
const auditDetails = object({
  role: optional(role),
  previous_role: optional(role),
  table: optional(tableName()),
  tablet: optional(text(60).example('Kitchen pass')),
  kid: optional(text(64).example('2026-11-01')),
  reason: optional(text(200).example('The balances are being checked')),
});
export type AuditDetails = Infer<typeof auditDetails>;
export const auditTrail = endpoint({
  service: 'auth-stepup',
  method: 'GET',
  path: '/audit',
  name: 'auditTrail',
  who: manager,
  summary:
    'List the changes of managers and operators to users, tables, tablets and keys, and their stops, newest first',
  details: `Entries are kept for ${auditDays} days. \`actor\` is who did it. An operator, who runs a command on the server, has no id. With \`user_id\`, only entries about that user.`,
  query: { ...pagesByNumber, user_id: optional(id().example(5)) },
  responses: {
    200: {
      about: 'One page',
      body: list(
        component(
          'AuditEntry',
          object({
            id: id(),
            time: time(),
            type: oneOf(...auditTypes),
            actor: object({ id: nullable(id().example(1)), role: oneOf(...roles, 'operator') }),
            user_id: nullable(id().example(5)),
            details: auditDetails,
            address: text(64).example('203.0.113.7'),
          }),
        ),
      ).example([
        {
          id: 71,
          time: '2026-11-20T21:00:00.000Z',
          type: 'role_changed',
          actor: { id: 1, role: 'manager' },
          user_id: 5,
          details: { role: 'waiter', previous_role: 'customer' },
          address: '203.0.113.7',
        },
      ]),
      headers: ['Link'],
    },
  },
  problems: [],
});

export const security = [
  createPin,
  getPinState,
  changePin,
  approvePinReset,
  resetPin,
  stepUp,
  securityEvents,
  auditTrail,
];

const consumption = {
  step_up_token: Joi.string().max(8192),
  endpoint_key: endpointKey(),
  call_hash: optional(Joi.string().pattern(/^[A-Za-z0-9_-]{43}$/)),
  details: optional(list(Joi.object<Record<string, unknown>>().unknown())),
};
/** A step-up token that was spent. `consent` proves the user's authorization: a compact JWS [RFC 7515] signed by auth-stepup. */
const spentToken = object({ jti: text(64), pin_version: id(), first: yesOrNo(), consent: text(4096) });
/** Why a step-up token can't be spent. */
const consumptionProblems = [
  'step_up_invalid',
  'step_up_expired',
  'step_up_used',
  'step_up_wrong_endpoint',
  'step_up_wrong_details',
  'account_required',
  'transfers_stopped',
] as const;

/** Services call this, never through the gateway. Unknown keys are ignored, so that a newer service can call an older one. */
export const consumeStepUp = endpoint({
  service: 'auth-stepup',
  method: 'POST',
  path: '/internal/step-up/consume',
  name: 'consumeStepUp',
  who: roles,
  callers: ['transfers', 'orders'],
  summary: 'Spend a step-up token of the user whose access token is sent',
  body: object(consumption).unknown(),
  responses: {
    200: { about: 'The spent token; `first` is false if the same call had already spent it', body: spentToken },
  },
  problems: [...consumptionProblems],
});
export type ConsumeStepUp = BodyOf<typeof consumeStepUp>;

/**
 * Services call this for all requests that are waiting for authorization at the same time. Release 1.0.0 accepts 32 tokens, in 32
 * KB.
 */
export const consumeStepUpList = endpoint({
  service: 'auth-stepup',
  method: 'POST',
  path: '/internal/step-up/consume-list',
  name: 'consumeStepUpList',
  who: 'anyone',
  callers: ['transfers', 'orders'],
  summary: "Spend several step-up tokens, each with its user's access token",
  body: object({
    requests: list(
      object({
        access_token: Joi.string().max(8192),
        traceparent: optional(text(55)),
        ...consumption,
      }).unknown(),
    )
      .min(1)
      .max(stepUpLists.maxTokens),
  }).unknown(),
  maxBodyKilobytes: stepUpLists.maxKilobytes,
  responses: {
    200: {
      about: 'For each request, in their order, what `POST /internal/step-up/consume` would have returned',
      body: object({
        results: list(
          object({
            status: count(),
            body: Joi.alternatives()
              .try(spentToken, object({ code: text(64) }))
              .required(),
          }),
        ),
      }),
    },
  },
  problems: [],
});
