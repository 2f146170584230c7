import { messagesOf } from '@comanda/shared/messaging/new-message';
import type { Message } from '@comanda/shared/messaging/publisher';

const newMessage = messagesOf('/auth-stepup');
type Happened = { userId: number; version: number; now: number; traceparent: string };

/** Tells the user's own screens that their PIN was created, changed or reset. */
export const pinMessage = (
  what: 'created' | 'changed' | 'reset',
  { userId, version, now, traceparent }: Happened,
): Message =>
  newMessage(`security.transaction_password_${what}`, {
    subject: String(userId),
    at: new Date(now),
    traceparent,
    data: { user_id: userId, version },
  });

/** `until` is null where only a reset helps. */
export const blockMessage = ({ userId, version, now, traceparent }: Happened, until: number | null): Message =>
  newMessage('security.transaction_password_blocked', {
    subject: String(userId),
    at: new Date(now),
    traceparent,
    data: { user_id: userId, version, blocked_until: until === null ? null : new Date(until).toISOString() },
  });
