/**
 * For how many milliseconds a connection to another service may be idle, whatever that service offers: less than the
 * DRAIN_DELAY_MS of the charts. A service that stops ends idle connections after that time, and a request that is sent just
 * then is lost.
 */
export const maxIdleMs = 4_000;
