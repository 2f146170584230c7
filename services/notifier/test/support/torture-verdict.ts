import type { TestClaims } from '@comanda/testing/test-issuer';
import type { Write } from './torture-writers.ts';
import type { RoamingClient } from './torture-clients.ts';

/** An event as stored in the stream. */
export type Reference = {
  offset: number;
  id: string;
  /** The order in the event; null for a heartbeat. */
  order: { id: number; version: number; seating: number | null; placed_by: { id: number } } | null;
};

/**
 * Finds acknowledged writes that are missing from the stream, and orders whose versions are out of order. Only the first copy of
 * a version counts.
 */
export function judgeStream(stream: readonly Reference[], writes: readonly Write[]): string[] {
  const faults: string[] = [];
  const found = new Set(stream.map(({ id }) => id));
  const missing = writes.filter(({ id }) => !found.has(id));
  if (missing.length > 0) faults.push(`the stream lacks ${missing.length} of ${writes.length} acknowledged writes`);
  const newest = new Map<number, number>();
  const seen = new Set<string>();
  for (const { id, order } of stream) {
    if (!order || seen.has(id)) continue;
    seen.add(id);
    const before = newest.get(order.id) ?? 0;
    if (order.version < before)
      faults.push(`order ${order.id}: version ${order.version} first appears after ${before}`);
    newest.set(order.id, Math.max(before, order.version));
  }
  return faults;
}

const owes = ({ sub, role, seating }: TestClaims, { order }: Reference): boolean =>
  order !== null &&
  (role !== 'customer' || order.placed_by.id === sub || (seating !== undefined && order.seating === seating));

type Account = Pick<RoamingClient, 'claims' | 'received' | 'start'>;
/**
 * Finds faults in a client's events. After its first notice, a client must receive exactly the events for it, once each and in
 * stream order. No notice may be ahead of the events. A gap is allowed only for a customer who was away longer than the smallest
 * ring covers, or as a client's first notice from an instance that did not know its stream yet.
 */
export function judgeClient(client: Account, stream: readonly Reference[], ringEvents: number): string[] {
  const { claims, received } = client;
  const name = `${claims.role} ${claims.sub}${claims.seating === undefined ? '' : ` at ${claims.seating}`}`;
  const start = client.start();
  if (start === null) return [`${name} got no notice`];
  const owed = stream.filter((event) => event.offset > start && owes(claims, event));
  const between = (low: number, high: number): number =>
    stream.filter(({ offset }) => offset > low && offset <= high).length;
  const faults: string[] = [];
  let at = 0;
  let lastOffset = start;
  for (const [index, { kind, offset, id }] of received.entries()) {
    const next = owed[at];
    if (kind === 'event') {
      if (next?.offset === offset && next.id === id) at++;
      else faults.push(`${name} got ${offset} ${id} where ${next ? `${next.offset} ${next.id}` : 'nothing'} was next`);
    } else if (kind === 'notice') {
      if (next && next.offset <= offset) faults.push(`${name} got a notice of ${offset} before ${next.offset} came`);
    } else {
      if (index > 0 && (claims.role !== 'customer' || between(lastOffset, offset) < ringEvents))
        faults.push(`${name} got a gap from ${lastOffset} to ${offset}, after ${index} events and notices`);
      while ((owed[at]?.offset ?? Infinity) <= offset) at++;
    }
    lastOffset = Math.max(lastOffset, offset);
    if (faults.length > 3) return faults;
  }
  if (at < owed.length) faults.push(`${name} is still owed ${owed.length - at} events`);
  return faults;
}
