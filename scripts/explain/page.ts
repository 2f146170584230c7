/** A part of a page: a heading, and its lines. A part without lines is left out. */
export type Part = { title: string; lines: readonly string[] };

/** One page of plain text. */
export const toPage = (parts: readonly Part[]): string =>
  parts
    .filter(({ lines }) => lines.length > 0)
    .map(({ title, lines }) => [title, ...lines.map((line) => `  ${line}`)].join('\n'))
    .join('\n\n');

/** A moment, to the millisecond, in UTC. */
export const at = (time: Date): string => time.toISOString().replace('T', ' ').replace('Z', ' UTC');

/** How long it was from one moment to another. */
export function between(from: Date, to: Date): string {
  const seconds = (to.getTime() - from.getTime()) / 1000;
  return seconds < 120 ? `${seconds.toFixed(2)} s` : `${Math.round(seconds / 60)} minutes`;
}

type Message = { type: string; time: Date };
/** Whether what has happened was told to the screens. */
export function describeOutbox(outbox: readonly Message[] | undefined): string[] {
  if (!outbox || outbox.length === 0) return ['all are published'];
  return outbox.map(({ type, time }) => `${type} of ${at(time)} WAITS to be published`);
}

/** The claims of a signed statement. Its signature is not looked at. */
export const claimsOf = (jws: string): Record<string, unknown> => decode(jws.split('.')[1]);
/** Its header, which names the key. */
export const headerOf = (jws: string): Record<string, unknown> => decode(jws.split('.')[0]);

function decode(part = ''): Record<string, unknown> {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;
  } catch {
    return {}; // tampered with
  }
}
