/**
 * Returns the time in milliseconds since the epoch. Code that depends on the time takes a clock, so that tests can set the time.
 */
export type Clock = () => number;
