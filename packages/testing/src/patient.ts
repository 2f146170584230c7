import { randomUUID } from 'node:crypto';
import { codeOf, type Call, type Called } from './call.ts';
import { until } from './until.ts';

/**
 * Returns a `call` that retries like a patient client. After a 503, or while the request is still in progress, it repeats the
 * call with the same idempotency key, for up to a minute. Tests use it for calls that compete with each other, because on a busy
 * machine some of them wait too long.
 */
export const patient =
  (call: Call): Call =>
  async (method, path, options = {}) => {
    const headers = { 'idempotency-key': randomUUID(), ...options.headers };
    const decided = async (): Promise<Called | null> => {
      const response = await call(method, path, { ...options, headers });
      return undecided.has(codeOf(response)) ? null : response;
    };
    return until(decided, { what: `${method} ${path} to be answered`, timeoutMs: 60_000 });
  };

/**
 * After this time in milliseconds, a service in a test's process returns 503, instead of after 1.8 s as in production: a busy
 * machine may delay any call by more than 1.8 s. The gateway waits for 10 s.
 */
export const testResponseTimeLimitMs = 8_000;

const undecided = new Set(['503 service_unavailable', '409 request_in_progress']);
