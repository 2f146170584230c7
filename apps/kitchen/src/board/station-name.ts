/** Managers write the names of stations in lower case. */
export const stationName = (station: string): string => station.charAt(0).toLocaleUpperCase() + station.slice(1);
