import type { CallFailure } from './call-failure.ts';
import { jittered } from './random.ts';

const firstDelayMs = 250;
const maxDelayMs = 4000;

/** How long to wait after `repeats` repeats, in milliseconds: what the server says, else longer each time. */
export const retryDelayMs = ({ retryAfterMs }: CallFailure, repeats: number): number =>
  retryAfterMs ?? jittered(Math.min(maxDelayMs, firstDelayMs * 2 ** repeats));
