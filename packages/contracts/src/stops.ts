import { endpoint, manager } from './endpoint.ts';
import { stopNames } from './rules.ts';
import {
  component,
  count,
  line,
  nullable,
  object,
  oneOf,
  optional,
  text,
  time,
  yesOrNo,
  type Infer,
} from './schema.ts';

export type StopName = (typeof stopNames)[number];

const stop = component(
  'Stop',
  object({
    since: time(),
    reason: nullable(text(200).example('The balances are being checked')),
  }),
);
/**
 * The functions that a manager has stopped; null for each function that isn't stopped. Each change adds 1 to `version`. Clients
 * ignore versions lower than the highest that they received.
 */
export const stops = component(
  'Stops',
  object({ transfers: nullable(stop), sign_ups: nullable(stop).example(null), version: count().example(2) }),
);
export type Stops = Infer<typeof stops>;

export const getStops = endpoint({
  service: 'auth-stepup',
  method: 'GET',
  path: '/stops',
  name: 'getStops',
  who: 'anyone',
  summary: 'Get what the restaurant has stopped: transfers, sign-ups',
  responses: { 200: { about: 'The stops; null if not stopped', body: stops } },
  problems: [],
});
export const putStop = endpoint({
  service: 'auth-stepup',
  method: 'PUT',
  path: '/stops/{name}',
  name: 'putStop',
  who: manager,
  stepUp: { key: 'stop.manage', details: { type: 'stop', members: { name: 'name', stopped: 'stopped' } } },
  summary: 'Stop transfers or sign-ups for all users, or resume them',
  details:
    'A stop lasts until you end it. `transfers` stops everything that moves money between accounts: transfers, payments of bills by account, refunds and deposits. No step-up token is issued or spent for them. A call whose token was already spent finishes normally. Orders, bills and payments by cash or card continue. `sign_ups` stops `POST /auth/register`. Guests can still scan codes, users sign in, and managers add users.',
  params: { name: oneOf(...stopNames).example('transfers') },
  body: object({
    stopped: yesOrNo().example(true),
    reason: optional(line(200).example('The balances are being checked')),
  }),
  exampleNeeds: 'transfers that continue',
  responses: { 200: { about: 'The stops after the change', body: stops } },
  problems: [],
});

export const stopEndpoints = [getStops, putStop];
