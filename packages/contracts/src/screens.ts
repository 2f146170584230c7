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
/** A screen's report about itself. `station` is null unless the screen shows a single station. */
const screenShape = {
  shows: oneOf('all_stations', 'expediter', 'station').example('station'),
  station: nullable(station()),
  /** The build of the app that the screen has loaded. */
  build: nullable(line(64).example('2026-11-20-1')),
  sound: oneOf('on', 'off', 'blocked').example('on'),
  /** Shows whether the display stays on. This is `unknown` until a person has touched the screen. */
  display: oneOf('stays_on', 'may_sleep', 'unknown').example('stays_on'),
  /** True if the screen was connected to the live feed. */
  live: yesOrNo(),
};
export const screen = component(
  'Screen',
  object({
    screen: text(64).example('kitchen-1'),
    ...screenShape,
    /** True if the screen's last report is recent, so that the screen is probably still on. */
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
  summary: 'Report that a kitchen screen is on, and its state',
  details: `Repeat it every ${screenReportSeconds} seconds, and when something changes. The ${maxScreensOfUser} screens of a user that reported last are kept.`,
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
  summary: 'List the screens of the last day, by last report, newest first',
  details: `A screen is \`on\` if it has reported within the last ${2.5 * screenReportSeconds} seconds. At most 200 are listed.`,
  responses: { 200: { about: 'The screens', body: list(screen) } },
  problems: [],
});

export const screens = [reportScreen, listScreens];
