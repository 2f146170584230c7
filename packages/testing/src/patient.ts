import { randomUUID } from 'node:crypto';
import { codeOf, type Call, type Called } from './call.ts';
import { until } from './until.ts';

/**
 * Makes `call` retry like a patient client. After a 503, or while the request is still in progress, it repeats the call with the
 * same idempotency key, for at most a minute. Use it for competing calls, because some of them wait too long on a busy machine.
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
 * How long a service in a test's process works on a call before it returns 503, compared with 1.8 s in production. A busy machine
 * may delay any call by more than that. The gateway waits for 10 s.
 */
export const testResponseTimeLimitMs = 8_000;

const undecided = new Set(['503 service_unavailable', '409 request_in_progress']);
