import type { CallFailure } from './call-failure.ts';
import { jittered } from './random.ts';

const firstDelayMs = 250;
const maxDelayMs = 4000;

/**
 * Returns the pause before the next retry, in milliseconds. It grows with the number of `repeats`, and includes the delay that
 * the server requested. It is partly random, so that many clients don't retry at the same moment.
 */
export const retryDelayMs = ({ retryAfterMs }: CallFailure, repeats: number): number =>
  (retryAfterMs ?? 0) + jittered(Math.min(maxDelayMs, firstDelayMs * 2 ** repeats));
