import { messagesOf } from '@comanda/shared/messaging/new-message';
import type { Message } from '@comanda/shared/messaging/publisher';

const newMessage = messagesOf('/auth-stepup');
type PinEvent = { userId: number; version: number; now: number; traceparent: string };

/** Creates the event that notifies the user's own devices that the PIN was created, changed or reset. */
export const pinSetEvent = (
  change: 'created' | 'changed' | 'reset',
  { userId, version, now, traceparent }: PinEvent,
): Message =>
  newMessage(`security.transaction_password_${change}`, {
    subject: String(userId),
    at: new Date(now),
    traceparent,
    data: { user_id: userId, version },
  });

/** Creates the event for a blocked PIN. `until` is null if only a reset ends the block. */
export const pinBlockedEvent = ({ userId, version, now, traceparent }: PinEvent, until: number | null): Message =>
  newMessage('security.transaction_password_blocked', {
    subject: String(userId),
    at: new Date(now),
    traceparent,
    data: { user_id: userId, version, blocked_until: until === null ? null : new Date(until).toISOString() },
  });
