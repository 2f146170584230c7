/**
 * Returns the current time in milliseconds since the epoch. Code that depends on the time has a clock as a parameter, so that
 * tests can set the time.
 */
export type Clock = () => number;
