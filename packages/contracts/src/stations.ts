import { endpoint, manager, staff } from './endpoint.ts';
import { station as stationName } from './menu.ts';
import { defaultStation } from './rules.ts';
import { component, count, id, list, object, type Infer } from './schema.ts';

const minutes = () => count().min(1).max(240);
const limits = { amber_minutes: minutes().example(5), late_minutes: minutes().example(8) };
const stationShape = {
  bumps: count().min(1).max(3).example(3),
  ...limits,
  dishes: list(
    object({ item_id: id().example(7), amber_minutes: minutes().example(12), late_minutes: minutes().example(18) }),
  ).max(200),
};

/**
 * How a station works. `bumps`: how many taps bring a ticket off its screen: 1 done; 2 begun, done; 3 begun, done, handed over.
 * A ticket turns amber, and is late, by the limits of its station, or by those of one of its dishes that is not done.
 */
export const station = component('Station', object({ station: stationName(), ...stationShape }));
export type Station = Infer<typeof station>;

export const listStations = endpoint({
  service: 'orders',
  method: 'GET',
  path: '/stations',
  name: 'listStations',
  who: staff,
  summary: 'List how the stations of the kitchen work',
  details: `A station that is not listed has ${defaultStation.bumps} bumps, is amber after ${defaultStation.amber_minutes} minutes and late after ${defaultStation.late_minutes}.`,
  responses: { 200: { about: 'The stations that a manager has set', body: list(station) } },
  problems: [],
});
const about =
  '`bumps` is how many taps bring a ticket off the screen: 1 done; 2 begun, done; 3 begun, done, handed over. `dishes` have limits of their own. All that is set is replaced. `amber_minutes` must be smaller than `late_minutes`. Names that differ only in case, blanks, invisible characters or the form of their Unicode are one station: it keeps the name that it was set with first.';
export const setStation = endpoint({
  service: 'orders',
  method: 'PUT',
  path: '/stations',
  name: 'setStation',
  who: manager,
  summary: 'Set how a station works: what a bump does, and when its tickets and dishes are late',
  details: about,
  // No component: what is sent is strict, and an answer is not.
  body: object({ station: stationName(), ...stationShape }),
  responses: { 200: { about: 'How the station works from now on', body: station } },
  problems: ['unprocessable_content'],
});
/** Screens of release 1.0.0 call it. The gateway refuses a path with escapes, so it sets no station with a blank or an accent. */
export const putStation = endpoint({
  service: 'orders',
  method: 'PUT',
  path: '/stations/{station}',
  name: 'putStation',
  who: manager,
  summary: 'Set how a station works whose name is of letters A to Z, digits and `.`, `_`, `~`, `-` only',
  details: `Use \`PUT /stations\`, which takes every name. ${about}`,
  params: { station: stationName() },
  body: object(stationShape),
  responses: { 200: { about: 'How the station works from now on', body: station } },
  problems: ['unprocessable_content'],
});

export const stations = [listStations, setStation, putStation];
