import type { Room } from '@comanda/contracts/audience';

/** A message in the stream. `rooms` are the rooms to which it is sent; a heartbeat has none. */
export type StreamEvent = {
  offset: number;
  id: string;
  type: string;
  subject: string;
  rooms: readonly Room[];
  data: unknown;
};
/** A message that a screen has received. `offset` and `id` are from the cursor that arrived with the message. */
export type Received = { kind: 'event' | 'notice' | 'gap'; offset: number; id: string };
/** All messages that a screen has received, in order, over all its connections. */
export type ScreenRecord = { name: string; rooms: readonly Room[]; received: readonly Received[] };

/**
 * Checks that each screen has received exactly the events for its rooms, each once, in the stream's order, from its first notice
 * on. No cursor may be ahead of the events that were received. If events are missing, there must be a `gap` in their place.
 * Returns a sentence for each screen that has received something else.
 */
export function judgeScreens(screens: readonly ScreenRecord[], stream: readonly StreamEvent[]): string[] {
  const owedTo = new Map<string, StreamEvent[]>();
  function owed({ rooms }: ScreenRecord): StreamEvent[] {
    const key = rooms.join();
    const known = owedTo.get(key) ?? stream.filter((event) => event.rooms.some((room) => rooms.includes(room)));
    owedTo.set(key, known);
    return known;
  }
  return screens.flatMap((screen) => judgeScreen(screen, owed(screen)));
}

function judgeScreen({ name, received }: ScreenRecord, all: readonly StreamEvent[]): string[] {
  const [first] = received;
  if (!first) return [`${name} was never told where the feed is`];
  let at = all.findIndex(({ offset }) => offset > first.offset);
  if (at === -1) at = all.length;
  for (const { kind, offset, id } of received.slice(1)) {
    const next = all[at];
    if (kind === 'event') {
      if (next?.offset !== offset || next.id !== id) return [`${name} ${wrongEvent({ offset, id }, next)}`];
      at++;
    } else if (kind === 'notice') {
      if (next && next.offset <= offset)
        return [`${name} got a cursor at ${offset} before the ${next.type} at ${next.offset} came`];
    } else while ((all[at]?.offset ?? Infinity) <= offset) at++;
  }
  const missing = all[at];
  return missing ? [`${name} lacks ${all.length - at} events, the first is ${missing.type} of ${missing.subject}`] : [];
}

function wrongEvent({ offset, id }: { offset: number; id: string }, next: StreamEvent | undefined): string {
  if (!next) return `got event ${id} at ${offset}, which it may not hear, or twice`;
  if (offset > next.offset) return `missed the ${next.type} of ${next.subject} at ${next.offset}`;
  return `got event ${id} at ${offset} twice, out of order, or without a right to hear it`;
}
