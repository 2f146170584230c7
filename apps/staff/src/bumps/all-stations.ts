/** Stands for all stations, in place of a station's name. */
export const allStations = '*';
/**
 * Stands for the expediter's screen, which shows all stations' orders and hands out finished ones. No station can have this name,
 * because it contains a tab.
 */
export const expediter = '\texpediter';
