import { endpoint, manager, staff } from './endpoint.ts';
import { station as stationName } from './menu.ts';
import { defaultStation } from './rules.ts';
import { component, count, id, list, object, type Infer } from './schema.ts';

/** Creates a schema for a limit of the kitchen, in minutes. */
export const minutes = () => count().min(1).max(240);
const limits = { amber_minutes: minutes().example(5), late_minutes: minutes().example(8) };
const stationShape = {
  bumps: count().min(1).max(3).example(3),
  ...limits,
  dishes: list(
    object({ item_id: id().example(7), amber_minutes: minutes().example(12), late_minutes: minutes().example(18) }),
  ).max(200),
};

/**
 * How a station works. `bumps` is the number of taps that remove a ticket from the station's screen (1: done; 2: started, done;
 * 3: started, done, handed over). A ticket turns amber, and then late, after the minutes set for its station or for one of its
 * unfinished dishes.
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
  details: `A station that is not listed has ${defaultStation.bumps} bumps, or 3 on a screen whose shift has chosen that. It is amber after ${defaultStation.amber_minutes} minutes and late after ${defaultStation.late_minutes}.`,
  responses: { 200: { about: 'The stations that a manager has set', body: list(station) } },
  problems: [],
});
const about =
  '`bumps` is how many taps remove a ticket from the screen: 1 done; 2 started, done; 3 started, done, handed over. `dishes` can have limits of their own. The call replaces everything that was set. `amber_minutes` must be less than `late_minutes`. Names that differ only in case, blanks, invisible characters or Unicode form are the same station, which keeps its first spelling.';
export const setStation = endpoint({
  service: 'orders',
  method: 'PUT',
  path: '/stations',
  name: 'setStation',
  who: manager,
  summary: 'Set how a station works: what a bump does, and when its tickets and dishes are late',
  details: about,
  // The body is not the component `Station`, because requests reject unknown keys and responses do not.
  body: object({ station: stationName(), ...stationShape }),
  responses: { 200: { about: 'How the station works from now on', body: station } },
  problems: ['unprocessable_content'],
});
/**
 * Screens from release 1.0.0 make this call. The gateway rejects percent-encoded characters in a path, so this call can't change
 * a station whose name has a space or an accent.
 */
export const putStation = endpoint({
  service: 'orders',
  method: 'PUT',
  path: '/stations/{station}',
  name: 'putStation',
  who: manager,
  summary: 'Set how a station works if its name has only letters A to Z, digits and `.`, `_`, `~`, `-`',
  details: `Use \`PUT /stations\` instead, which takes all names. ${about}`,
  params: { station: stationName() },
  body: object(stationShape),
  responses: { 200: { about: 'How the station works from now on', body: station } },
  problems: ['unprocessable_content'],
});

export const stations = [listStations, setStation, putStation];
