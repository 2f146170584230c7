import type { CallFailure } from './call-failure.ts';
import { jittered } from './random.ts';

const firstDelayMs = 250;
const maxDelayMs = 4000;

/**
 * How long to wait after `repeats` repeats, in milliseconds: longer each time, and after the server's own delay. The
 * jitter keeps clients with the same delay from returning all at once.
 */
export const retryDelayMs = ({ retryAfterMs }: CallFailure, repeats: number): number =>
  (retryAfterMs ?? 0) + jittered(Math.min(maxDelayMs, firstDelayMs * 2 ** repeats));
