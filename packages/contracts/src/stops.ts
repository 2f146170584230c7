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
/** Null is not stopped. Its `version` grows by 1 with each change: a client keeps the highest that it has seen. */
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
  responses: { 200: { about: 'What is stopped; null is not stopped', body: stops } },
  problems: [],
});
export const putStop = endpoint({
  service: 'auth-stepup',
  method: 'PUT',
  path: '/stops/{name}',
  name: 'putStop',
  who: manager,
  stepUp: { key: 'stop.manage', details: { type: 'stop', members: { name: 'name', stopped: 'stopped' } } },
  summary: 'Stop transfers or sign-ups for everybody, or let them go on',
  details:
    'A stop lasts until it is ended. `transfers` stops whatever moves money between accounts: transfers, payments of bills by account, refunds and deposits. No step-up token is issued for them or spent; a call whose token was spent before ends as if there were no stop. Orders, bills and payments by cash or card go on. `sign_ups` stops `POST /auth/register`; guests scan codes, users sign in, and managers add users as before.',
  params: { name: oneOf(...stopNames).example('transfers') },
  body: object({
    stopped: yesOrNo().example(true),
    reason: optional(line(200).example('The balances are being checked')),
  }),
  responses: { 200: { about: 'What is stopped now', body: stops } },
  problems: [],
});

export const stopEndpoints = [getStops, putStop];
