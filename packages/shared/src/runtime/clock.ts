/** Returns the time in milliseconds since the epoch. Code that decides by time takes one, so that tests can set the time. */
export type Clock = () => number;
