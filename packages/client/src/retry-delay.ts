import type { CallFailure } from './call-failure.ts';
import { jittered } from './random.ts';

const firstDelayMs = 250;
const maxDelayMs = 4000;

/**
 * How long to wait after `repeats` repeats, in milliseconds: longer each time, after what the server says. Clients that were told
 * the same come back one after the other.
 */
export const retryDelayMs = ({ retryAfterMs }: CallFailure, repeats: number): number =>
  (retryAfterMs ?? 0) + jittered(Math.min(maxDelayMs, firstDelayMs * 2 ** repeats));
