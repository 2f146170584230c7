import { messages } from '../messages.ts';

/** In the language of the screen, if it is one of the usual stations. Managers write the names in lower case. */
export const stationName = (station: string): string =>
  messages().shift.stations[station] ?? station.charAt(0).toLocaleUpperCase() + station.slice(1);
