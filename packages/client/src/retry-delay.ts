import type { CallFailure } from './call-failure.ts';
import { jittered } from './random.ts';

const firstDelayMs = 250;
const maxDelayMs = 4000;

/**
 * Returns how long to wait after `repeats` retries, in milliseconds: longer each time, and added to the delay that the server
 * requested. The jitter keeps clients with the same delay from returning at the same time.
 */
export const retryDelayMs = ({ retryAfterMs }: CallFailure, repeats: number): number =>
  (retryAfterMs ?? 0) + jittered(Math.min(maxDelayMs, firstDelayMs * 2 ** repeats));
