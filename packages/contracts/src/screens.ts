import Joi from 'joi';
import { endpoint, manager, staff } from './endpoint.ts';
import { station } from './menu.ts';
import { maxScreensOfUser, screenReportSeconds } from './rules.ts';
import { component, id, line, list, nullable, object, oneOf, text, time, yesOrNo, type Infer } from './schema.ts';

const screenName = () =>
  Joi.string()
    .pattern(/^[A-Za-z0-9-]{1,64}$/)
    .messages({ 'string.pattern.base': '{{#label}} must be 1 to 64 letters, digits or hyphens' })
    .example('kitchen-1');
/** How a screen is. `station` is the one that it shows, if it shows one. */
const screenShape = {
  shows: oneOf('all_stations', 'expediter', 'station').example('station'),
  station: nullable(station()),
  /** The build of its app. */
  build: nullable(line(64).example('2026-11-20-1')),
  sound: oneOf('on', 'off', 'blocked').example('on'),
  /** Whether its display stays on; unknown until somebody has touched it. */
  display: oneOf('stays_on', 'may_sleep', 'unknown').example('stays_on'),
  /** Whether the live feed was there. */
  live: yesOrNo(),
};
export const screen = component(
  'Screen',
  object({
    screen: text(64).example('kitchen-1'),
    ...screenShape,
    /** Whether it has reported lately. */
    on: yesOrNo(),
    reported_by: object({ id: id().example(3), name: text(255).example('Wagner') }),
    reported_at: time(),
  }),
);
export type Screen = Infer<typeof screen>;
export type ScreenReport = Pick<Screen, keyof typeof screenShape>;

export const reportScreen = endpoint({
  service: 'orders',
  method: 'PUT',
  path: '/screens/{screen}',
  name: 'reportScreen',
  who: staff,
  summary: 'Report that a screen of the kitchen is on, and how it is',
  details: `To be repeated every ${screenReportSeconds} seconds, and when something changes. Of one user, the ${maxScreensOfUser} screens that were heard last are kept.`,
  params: { screen: screenName() },
  body: object(screenShape).example({
    shows: 'station',
    station: 'kitchen',
    build: '2026-11-20-1',
    sound: 'on',
    display: 'stays_on',
    live: true,
  }),
  responses: { 204: { about: 'Recorded', body: null } },
  problems: [],
});
export const listScreens = endpoint({
  service: 'orders',
  method: 'GET',
  path: '/screens',
  name: 'listScreens',
  who: manager,
  summary: 'List the screens of the last day, the one that was heard last first',
  details: `A screen is \`on\` if it has reported within the last ${2.5 * screenReportSeconds} seconds. At most 200 are listed.`,
  responses: { 200: { about: 'The screens', body: list(screen) } },
  problems: [],
});

export const screens = [reportScreen, listScreens];
