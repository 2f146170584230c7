import { expect, test } from '@jest/globals';
import { cloudEvent, type CloudEvent } from '@comanda/contracts/event-data';
import { orderCreated } from '@comanda/testing/event-factories';
import { messagesOf } from './new-message.ts';

const facts = { at: new Date('2026-11-20T21:00:00Z'), traceparent: '00-4bf9-00f0-01' };
const { order } = orderCreated({ orderId: 1, placedBy: 5, seating: 88 }).data;
const newMessage = messagesOf('/orders');

test.each([
  ['an order', newMessage('order.created', { ...facts, subject: '1', data: { order } }), 'staff user:5 seating:88'],
  [
    'an order that has moved to another seating',
    newMessage('order.table_changed', {
      ...facts,
      subject: '1',
      data: { order, from: '11', to: '12', from_seating: 87, actor: { id: 2, role: 'waiter' } },
    }),
    'staff user:5 seating:88 seating:87',
  ],
  [
    'a PIN',
    newMessage('security.transaction_password_changed', { ...facts, subject: '5', data: { user_id: 5, version: 1 } }),
    'user:5',
  ],
  [
    'the pause',
    newMessage('ordering.changed', {
      ...facts,
      subject: 'ordering',
      data: { paused_until: null, reason: null, version: 1 },
    }),
    'everyone',
  ],
])('an event for %s has the right audience and matches its contract', (_what, { type, body }, expected) => {
  const event = JSON.parse(body) as CloudEvent;

  expect(event.audience).toBe(expected);
  expect(cloudEvent(type as CloudEvent['type']).validate(event).error).toBeUndefined();
});
