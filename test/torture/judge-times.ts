import type { Observed } from './observed.ts';

/**
 * The longest time that an event may take to reach a screen, in milliseconds, before the screen must show that it is not live.
 * With a heartbeat every 3 s, the feed reports a stall after 8 s, and waiting events after 5 s.
 */
const maxDelayMs = 12_000;

const listed = (late: ReadonlyMap<string, number>): string =>
  [...late].map(([what, longestMs]) => `${what} (${(longestMs / 1_000).toFixed(1)} s)`).join('; ');

/**
 * Checks that each 503 came within 2 s, that other responses came before a client would have given up, and that orders appeared
 * on live screens in time. Returns a sentence for each violation.
 */
export function judgeTimes({ lateRefusals, lateResponses }: Observed, longestDelayMs: number): string[] {
  return [
    ...(lateRefusals.size > 0 ? [`refusals took longer than 2 s: ${listed(lateRefusals)}`] : []),
    ...(lateResponses.size > 0 ? [`answers came after a client has given up: ${listed(lateResponses)}`] : []),
    ...(longestDelayMs > maxDelayMs
      ? [`a screen said that it was live, and heard of an order ${Math.round(longestDelayMs / 1_000)} s after its 201`]
      : []),
  ];
}
