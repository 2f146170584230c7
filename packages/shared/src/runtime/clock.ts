/** The time in milliseconds since the epoch. Whatever decides by time takes one, so that a test can set it. */
export type Clock = () => number;
