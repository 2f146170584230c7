import type { CallFailure } from './call-failure.ts';
import { jittered } from './random.ts';

const firstDelayMs = 250;
const maxDelayMs = 4000;

/** How long to wait after `repeats` repeats, in milliseconds: longer each time, and as long as the server says. */
export const retryDelayMs = ({ retryAfterMs }: CallFailure, repeats: number): number =>
  Math.max(retryAfterMs ?? 0, jittered(Math.min(maxDelayMs, firstDelayMs * 2 ** repeats)));
