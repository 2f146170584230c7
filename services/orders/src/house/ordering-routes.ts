import { getOrdering, putOrdering } from '@comanda/contracts/menu';
import type { Api } from '@comanda/shared/http/api';
import type { Message } from '@comanda/shared/messaging/publisher';
import { newMessage } from '../messages.ts';
import { toOrdering } from './house.ts';
import type { Pause } from './house.ts';
import type { HouseStore } from './house-store.ts';
import { readTime } from '../read-time.ts';

type Needs = { house: HouseStore; onWritten: (documentId: string, messages: readonly Message[]) => void };

/** Whether the house takes customers' orders. */
export function serveOrdering({ handle }: Api, { house, onWritten }: Needs): void {
  handle(getOrdering, async () => ({ status: 200, body: toOrdering(await house.pause(), new Date()) }));
  handle(putOrdering, async ({ body, context: { traceparent } }) => {
    const now = new Date();
    const until = readTime(body.paused_until, { pointer: '/paused_until' }) ?? null;
    const pause: Pause = { until, reason: until && (body.reason ?? null) };
    const ordering = toOrdering(pause, now);
    const event = { subject: 'ordering', at: now, traceparent, data: ordering };
    const { id, messages } = await house.setPause(pause, newMessage('ordering.changed', event));
    onWritten(id, messages);
    return { status: 200, body: ordering };
  });
}
