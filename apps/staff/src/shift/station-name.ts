import { textKey } from '@comanda/contracts/text-key';
import { allStations, expediter } from '../bumps/all-stations.ts';
import { messages } from '../messages.ts';

/** Returns a common station's name in the screen's language, because many managers write the names in lower case. */
export function stationName(station: string): string {
  const words = messages().stations;
  if (station === allStations) return words.all;
  if (station === expediter) return words.expediter;
  return words.names.get(textKey(station)) ?? station.charAt(0).toLocaleUpperCase() + station.slice(1);
}
