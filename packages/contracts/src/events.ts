/**
 * The users who receive an event. `order`: staff, the customer who placed the order, and the guests in its seating. `bill`:
 * staff, the guests in its seating, and users who have ordered or paid. `call`, `seating`: staff and the guests in the seating.
 * `staff`: staff. `table`: staff, and guests who sit there or have just left. `everyone`: all users. `user` and `parties`: only the users whose
 * ids are in the data.
 */
type Audience = 'staff' | 'order' | 'bill' | 'call' | 'table' | 'seating' | 'everyone' | 'user' | 'parties';
type EventContract = {
  /** The end of the sentence "Published when …" in the documents. */
  when: string;
  audience: Audience;
  /** The service that publishes the event. */
  source: '/orders' | '/auth-stepup' | '/transfers';
  /** The id of the resource in the example data. */
  subject: string;
};

const ofOrder = { audience: 'order', source: '/orders', subject: '1042' } as const;
const ofPin = { audience: 'user', source: '/auth-stepup', subject: '5' } as const;

/**
 * All events, keyed by CloudEvents type. The schemas for their data are in `event-data.ts`, so that a service that only needs
 * this list does not have to create them.
 */
export const events = {
  'order.created': {
    ...ofOrder,
    when: 'an order is placed',
  },
  'order.status_changed': {
    ...ofOrder,
    when: 'the status of an order changes; `changed_items` are the items that changed with it',
  },
  'order.item_status_changed': {
    ...ofOrder,
    when: 'the status of a single item changes',
  },
  'order.seen': {
    ...ofOrder,
    when: 'a screen shows an order for the first time at one or more of its stations',
  },
  'order.allergies_read': {
    ...ofOrder,
    when: 'staff confirm for the first time, at one or more stations, that they have read the allergies of an order',
  },
  'order.table_changed': {
    ...ofOrder,
    when: 'an order moves to another table or seating; for another seating, `from` may equal `to`. If a part of an order moves, the new order has `split_from`, and the rest has this event too, with `from` equal to `to`',
  },
  'bill.changed': {
    when: 'a bill changes: a cancelled or moved dish, the number of guests (`table`), a discount, a payment, its end. A new order only publishes `order.created` with `bill_id`: then load the bill',
    audience: 'bill',
    source: '/orders',
    subject: '312',
  },
  'call.changed': {
    when: 'a table calls, and when staff take, release or finish the call, or it is cancelled',
    audience: 'call',
    source: '/orders',
    subject: '51',
  },
  'seating.closed': {
    when: 'a table is closed; from then on, orders for its seating are rejected',
    audience: 'seating',
    source: '/orders',
    subject: '88',
  },
  'table.changed': {
    when: 'a table is opened, closed, cleaned, moved, joined with another one, or gets a new code. Guests whose seating is `previous_seating` refresh their tokens after a move or join; `seating.closed` ends a stay',
    audience: 'table',
    source: '/auth-stepup',
    subject: '12',
  },
  'day.closed': {
    when: 'a manager closes the day; `hash` is the hash of its report',
    audience: 'staff',
    source: '/orders',
    subject: '214',
  },
  'menu.item_changed': {
    when: 'a dish changes, including its removal and its portions, which orders reduce',
    audience: 'everyone',
    source: '/orders',
    subject: '7',
  },
  'option_group.changed': {
    when: 'an option group changes, including its removal; `group` is the whole group, `deleted` says that it is gone',
    audience: 'everyone',
    source: '/orders',
    subject: '4',
  },
  'security.transaction_password_created': {
    ...ofPin,
    when: 'a user creates their PIN',
  },
  'security.transaction_password_changed': {
    ...ofPin,
    when: 'a user changes their PIN',
  },
  'security.transaction_password_blocked': {
    ...ofPin,
    when: 'a PIN is blocked after wrong attempts; if `blocked_until` is null, only a reset unblocks it',
  },
  'security.transaction_password_reset': {
    ...ofPin,
    when: 'a user sets a new PIN after a manager has approved the reset',
  },
  'stops.changed': {
    when: 'a manager stops or resumes transfers or sign-ups; `version` grows with each change',
    audience: 'everyone',
    source: '/auth-stepup',
    subject: 'stops',
  },
  'ordering.changed': {
    when: 'ordering is paused or resumed; `version` grows with each change',
    audience: 'everyone',
    source: '/orders',
    subject: 'ordering',
  },
  // Its name starts with `ordering`, because the accounts in RabbitMQ for release 1.0.0 allow no other new topic.
  'ordering.settings_changed': {
    when: "a manager changes the restaurant's settings; `version` grows with each change",
    audience: 'everyone',
    source: '/orders',
    subject: 'restaurant',
  },
  'transfer.posted': {
    when: 'a transfer or deposit is posted',
    audience: 'parties',
    source: '/transfers',
    subject: '310',
  },
  'pix.receipt_changed': {
    when: 'the bank reports a Pix, and when its state changes, or the bank has returned it by itself',
    audience: 'staff',
    source: '/transfers',
    subject: 'E00000000202611202100abcdef12345',
  },
} as const satisfies Record<string, EventContract>;

export type EventType = keyof typeof events;
/** Returns the event types that the service `source` publishes. */
export const eventTypesOf = (source: EventContract['source']): EventType[] =>
  (Object.keys(events) as EventType[]).filter((type) => events[type].source === source);
