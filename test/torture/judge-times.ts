import type { Observed } from './observed.ts';

/**
 * The maximum delay in milliseconds. With a heartbeat every 3 s, the feed reports a stall after 8 s and waiting events after 5 s.
 */
const maxDelayMs = 12_000;

const listed = (late: ReadonlyMap<string, number>): string =>
  [...late].map(([what, longestMs]) => `${what} (${(longestMs / 1_000).toFixed(1)} s)`).join('; ');

/** Checks that error responses come within 2 s, other responses before a client gives up, and orders on live screens in time. */
export function judgeTimes({ lateRefusals, lateResponses }: Observed, longestDelayMs: number): string[] {
  return [
    ...(lateRefusals.size > 0 ? [`refusals took longer than 2 s: ${listed(lateRefusals)}`] : []),
    ...(lateResponses.size > 0 ? [`answers came after a client has given up: ${listed(lateResponses)}`] : []),
    ...(longestDelayMs > maxDelayMs
      ? [`a screen said that it was live, and heard of an order ${Math.round(longestDelayMs / 1_000)} s after its 201`]
      : []),
  ];
}
