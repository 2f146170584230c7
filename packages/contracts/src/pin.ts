import Joi from 'joi';
import { endpoint, manager, roles } from './endpoint.ts';
import { maxPinAttempts, recentSignInMinutes, resetApprovalMinutes } from './rules.ts';
import { component, count, documented, id, object, oneOf, optional, secret, time, type Infer } from './schema.ts';
import { password } from './users.ts';

/** Creates a schema for a PIN: exactly six ASCII digits. The service itself rejects PINs that are too easy to guess. */
export const pin = () =>
  documented(
    Joi.string()
      .pattern(/^[0-9]{6}$/)
      .messages({ 'string.pattern.base': '{{#label}} must be exactly six digits' })
      .example('739152'),
    { schema: { format: 'password' } },
  );

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

export const checksPin = [
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
  liveSession: 'use_case',
  limit: 'step_up',
  account: 'required',
  passwordSignIn: 'required',
  summary: 'Change your PIN and revoke your unused step-up tokens',
  body: object({
    current: pin(),
    transaction_password: pin().example('284619'),
    confirmation: secret(255).example('284619'),
  }),
  exampleNeeds: 'a PIN',
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
  exampleNeeds: 'a user with a PIN',
  responses: {
    201: {
      about: 'The approval, valid for one use',
      body: object({ expires_at: time().example('2026-11-20T21:15:00.000Z') }),
      headers: ['Idempotent-Replayed'],
    },
  },
  problems: ['not_found', 'forbidden', 'transaction_password_absent'],
});

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
  exampleNeeds: 'an approved reset',
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

export const pinEndpoints = [createPin, getPinState, changePin, approvePinReset, resetPin];
