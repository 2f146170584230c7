import Joi from 'joi';
import { endpoint, manager } from './endpoint.ts';
import { maxTabletPinAttempts, maxTabletPinFailures, tabletPinBlockMinutes, tabletSessionHours } from './rules.ts';
import { component, id, line, list, nullable, object, secret, text, time, type Infer } from './schema.ts';
import { tokenPair } from './sessions.ts';
import { tabletPin } from './tablet-pin.ts';

const tabletId = () =>
  Joi.string()
    .pattern(/^[A-Za-z0-9_-]{22}$/)
    .messages({ 'string.pattern.base': '{{#label}} must be the id of a tablet' })
    .example('dGFibGV0LW9mLWtpdGNoZQ');
const credentialExample = 'dGFibGV0LW9mLWtpdGNoZQ.c2VjcmV0LW9mLXRoZS10YWJsZXQtYXQtMQ';
const credential = () => secret(255).min(1).example(credentialExample);
const person = object({ id: id().example(6), name: text(255).example('Rui') });

export const tablet = component(
  'Tablet',
  object({
    id: tabletId(),
    name: text(60).example('Kitchen pass'),
    registered_at: time(),
    registered_by: object({ id: id().example(1), name: text(255).example('Marta') }),
    /** The time of the last sign-in on the tablet; null if there was none. */
    last_used_at: nullable(time()),
    last_used_by: nullable(person),
  }),
);
export type Tablet = Infer<typeof tablet>;

export const registerTablet = endpoint({
  service: 'auth-stepup',
  method: 'POST',
  path: '/tablets',
  name: 'registerTablet',
  who: manager,
  stepUp: { key: 'tablet.register', details: { type: 'tablet_registration', members: { name: 'name' } } },
  summary: 'Register a shared tablet, on which waiters sign in with a short PIN',
  details: 'Only this response has the credential: store it on the tablet. It identifies the tablet, and not its user.',
  body: object({ name: line(60).example('Kitchen pass') }),
  responses: {
    201: {
      about: 'The tablet and its credential',
      body: object({
        tablet: tablet.example({
          id: 'dGFibGV0LW9mLWtpdGNoZQ',
          name: 'Kitchen pass',
          registered_at: '2026-11-20T21:00:00.000Z',
          registered_by: { id: 1, name: 'Marta' },
          last_used_at: null,
          last_used_by: null,
        }),
        tablet_credential: text(255).example(credentialExample),
      }),
      headers: ['Location'],
    },
  },
  problems: [],
});
export const listTablets = endpoint({
  service: 'auth-stepup',
  method: 'GET',
  path: '/tablets',
  name: 'listTablets',
  who: manager,
  summary: 'List the registered tablets, and who used each last',
  exampleNeeds: 'a tablet',
  responses: { 200: { about: 'The tablets, newest first', body: list(tablet) } },
  problems: [],
});
export const revokeTablet = endpoint({
  service: 'auth-stepup',
  method: 'DELETE',
  path: '/tablets/{id}',
  name: 'revokeTablet',
  who: manager,
  summary: 'Remove a tablet: its credential stops working, and all sessions on it end',
  params: { id: tabletId() },
  exampleNeeds: 'a tablet',
  responses: { 204: { about: 'Removed', body: null } },
  problems: ['not_found'],
});
export const readTablet = endpoint({
  service: 'auth-stepup',
  method: 'POST',
  path: '/auth/tablet',
  name: 'readTablet',
  who: 'anyone',
  summary: 'List on a registered tablet who may sign in there',
  details: 'The active waiters who have set a tablet PIN, by name.',
  body: object({ tablet_credential: credential() }),
  exampleNeeds: 'a tablet and a waiter',
  responses: {
    200: {
      about: 'The tablet and the people',
      body: object({ name: text(60).example('Kitchen pass'), people: list(person) }),
    },
  },
  problems: ['tablet_invalid'],
});
export const signInOnTablet = endpoint({
  service: 'auth-stepup',
  method: 'POST',
  path: '/auth/tablet/login',
  name: 'signInOnTablet',
  who: 'anyone',
  summary: 'Sign in on a registered tablet with your tablet PIN',
  details: `The session lasts ${tabletSessionHours} hours. Its access tokens have \`amr: ["pin"]\` [RFC 8176]: calls that require a sign-in with the password reject them. After ${maxTabletPinAttempts} wrong PINs of one person on one tablet, that person cannot sign in there for ${tabletPinBlockMinutes} minutes; after ${maxTabletPinFailures} in a row, they must first set a new PIN. Other tablets are not affected. Users who may not sign in here get the same response as for a wrong PIN, after the same time.`,
  body: object({ tablet_credential: credential(), user_id: id().example(6), tablet_pin: tabletPin() }),
  exampleNeeds: 'a tablet and a waiter',
  responses: { 200: { about: 'A pair of tokens', body: tokenPair } },
  problems: ['tablet_invalid', 'tablet_pin_invalid', 'tablet_pin_blocked'],
});
export const setTabletPin = endpoint({
  service: 'auth-stepup',
  method: 'PUT',
  path: '/auth/tablet-pin',
  name: 'setTabletPin',
  who: ['waiter'],
  limit: 'step_up',
  account: 'required',
  passwordSignIn: 'required',
  summary: 'Set your tablet PIN, with which you sign in on registered tablets',
  details:
    'This ends your sessions on tablets. A tablet PIN is never your transactional PIN, and cannot be used in its place.',
  body: object({
    password: secret(255).min(1).example('mesa-farofa-violao'),
    tablet_pin: tabletPin(),
  }),
  exampleNeeds: 'a waiter',
  responses: { 204: { about: 'Set', body: null } },
  problems: ['password_invalid', 'password_blocked', 'tablet_pin_weak'],
});

export const tablets = [registerTablet, listTablets, revokeTablet, readTablet, signInOnTablet, setTabletPin];
