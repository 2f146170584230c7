/**
 * How long a connection to another service may be idle, in milliseconds, even if that service allows more. This must be less than
 * the DRAIN_DELAY_MS in the Helm charts: a stopping service closes idle connections after that time, and would lose a request
 * sent at the same moment.
 */
export const maxIdleMs = 4_000;
