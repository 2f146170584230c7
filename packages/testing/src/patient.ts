import { randomUUID } from 'node:crypto';
import { codeOf, type Call, type Called } from './call.ts';
import { until } from './until.ts';

/**
 * Wraps `call` so that it retries, like a client that does not give up. After a 503, or while the request is still in progress,
 * it sends the call again with the same idempotency key, for at most a minute. For calls that compete: on a busy machine, some
 * wait too long for the others.
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
 * The time after which a service in a test's process returns 503 for an unfinished call; in production it is 1.8 s. On a machine
 * that is busy for a moment, any call may take longer than that. The gateway waits for 10 s.
 */
export const testResponseTimeLimitMs = 8_000;

const undecided = new Set(['503 service_unavailable', '409 request_in_progress']);
