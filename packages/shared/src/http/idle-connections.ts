/**
 * How many milliseconds a connection to another service may be idle, regardless of what that service offers. This is less than
 * the charts' DRAIN_DELAY_MS: a stopping service closes idle connections after that time, and a request sent at that moment would
 * be lost.
 */
export const maxIdleMs = 4_000;
