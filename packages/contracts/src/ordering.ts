import { endpoint, staff } from './endpoint.ts';
import { instant } from './instant.ts';
import { waiterPauseMinutes } from './rules.ts';
import { component, id, line, nullable, object, optional, text, time, type Infer } from './schema.ts';

/**
 * The state of ordering: open, or paused for customers. Each pause and each resumption adds 1 to `version`. Clients ignore
 * versions lower than the highest that they received.
 */
export const ordering = component(
  'Ordering',
  object({
    paused_until: nullable(time().example('2026-11-20T21:30:00.000Z')),
    reason: nullable(text(200).example('The kitchen is full')),
    version: id(),
  }),
);
export type Ordering = Infer<typeof ordering>;
export const getOrdering = endpoint({
  service: 'orders',
  method: 'GET',
  path: '/ordering',
  name: 'getOrdering',
  who: 'anyone',
  summary: 'Get whether the restaurant accepts orders',
  responses: { 200: { about: 'The state: the restaurant accepts orders if `paused_until` is null', body: ordering } },
  problems: [],
});
export const putOrdering = endpoint({
  service: 'orders',
  method: 'PUT',
  path: '/ordering',
  name: 'putOrdering',
  who: staff,
  summary: "Pause customers' orders until a given time; an empty object resumes them",
  details: `Each call creates a new \`version\`. Events and responses may arrive out of order: keep the highest version. A waiter can pause for at most ${waiterPauseMinutes} minutes (422), and can't change or end a pause that lasts longer (403). Both are measured by the server's clock.`,
  body: object({
    paused_until: optional(instant().example('2026-11-20T21:30:00.000Z')),
    reason: optional(line(200).example('The kitchen is full')),
  }),
  exampleNeeds: 'a time in the future',
  responses: { 200: { about: 'The new state', body: ordering } },
  problems: ['unprocessable_content'],
});

export const orderingEndpoints = [getOrdering, putOrdering];
