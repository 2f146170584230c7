import type { CallFailure } from './call-failure.ts';
import { jittered } from './random.ts';

const firstDelayMs = 250;
const maxDelayMs = 4000;

/**
 * Returns the wait before the next retry, in milliseconds. It grows with `repeats`, and includes the delay that the server
 * requested. The jitter spreads out clients with the same delay.
 */
export const retryDelayMs = ({ retryAfterMs }: CallFailure, repeats: number): number =>
  (retryAfterMs ?? 0) + jittered(Math.min(maxDelayMs, firstDelayMs * 2 ** repeats));
