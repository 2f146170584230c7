import { formatConjunction, plural } from '@comanda/ui/format.ts';
import type { Freed } from '../freed-table.ts';

const dishes = (count: number): string => plural(count, { one: '1 dish', other: `${count} dishes` });

const openOrders = (count: number): string => plural(count, { one: '1 open order', other: `${count} open orders` });

/** A bill that was closed, and the table that was freed with it. */
type Ended = Freed & { number: number | null };

export const en = {
  title: 'Waiter',
  table: (table: string) => `Table ${table}`,
  noTable: (guest: string) => `No table, ${guest}`,
  allergyOf: (ticket: number) => `ALLERGY, order #${ticket}:`,
  taken: 'seated',
  tabs: { label: 'Waiter', ready: 'Ready', tables: 'Tables', order: 'Order' },
  readyCount: (count: number) => plural(count, { one: '1 table', other: `${count} tables` }),
  stopReason: 'Reason',
  paused: (until: string) => `Guests cannot order until ${until}. You can order for them.`,
  notLiveHint: 'News does not arrive here. Check the Wi-Fi. What you serve is kept and sent later.',
  unsentServed: (count: number) =>
    plural(count, { one: '1 “Served” kept, not sent yet', other: `${count} “Served” kept, not sent yet` }),
  ready: {
    title: 'Ready to serve',
    waiting: (age: string) => `Waiting ${age}`,
    readyWaiting: (age: string) => `Ready, waiting ${age}`,
    served: (count: number) => `Mark ${count} served`,
    serveOne: 'Mark served:',
    counts: (cooking: number, notBegun: number) =>
      [cooking > 0 && `${cooking} cooking`, notBegun > 0 && `${notBegun} not begun`].filter(Boolean).join(', '),
    inKitchen: 'In the kitchen',
    since: (age: string) => `for\u00a0${age}`,
    empty: 'Nothing is ready.',
    emptyHint: 'What the kitchen finishes appears here by itself.',
    notRead: 'Loading the orders…',
  },
  alarm: {
    title: (table: string | null, ticket: number) =>
      table === null ? `No table, order #${ticket}` : `Table ${table}, order #${ticket}`,
    strip: (count: number) => plural(count, { one: '1 order not seen yet', other: `${count} orders not seen yet` }),
    oldest: (age: string) => `, oldest ${age}`,
    unseen: (stations: readonly string[], age: string) => `No ${stations.join(' or ')} screen shows it yet. ${age}`,
    acknowledge: (stations: readonly string[]) => `Told the ${formatConjunction(stations)}`,
    stations: new Map([
      ['kitchen', 'kitchen'],
      ['bar', 'bar'],
    ]),
  },
  notice: {
    served: (table: string, count: number) => `${table}: served, ${dishes(count)}`,
    undo: 'Undo',
    sent: (ticket: number, table: string | null) =>
      table === null ? `Order #${ticket} is sent.` : `Order #${ticket} for table ${table} is sent.`,
    moved: (ticket: number, table: string) => `Order #${ticket} is now at table ${table}.`,
    takenOff: (ticket: number, dish: string) => `${dish} is off order #${ticket}. The kitchen sees it.`,
    closed: (table: string) => `Table ${table} is closed.`,
    opened: (table: string) => `Table ${table} is open.`,
    recorded: (method: string, total: string) => `Recorded: ${method}, ${total}.`,
    ended: ({ table, number, isToClean, openCount }: Ended) => {
      if (table === null) return `Bill ${number} is closed.`;
      if (openCount === 0)
        return `Bill ${number} is closed, table ${table} is ${isToClean ? 'to be cleaned' : 'free'}.`;
      const clean = isToClean ? 'is to be cleaned, and ' : '';
      return `Bill ${number} is closed. Table ${table} ${clean}still has ${openOrders(openCount)}.`;
    },
    stopped: (table: string) =>
      `Stopped. An earlier try may have arrived: look at the orders of table ${table} before you send it again.`,
    overtaken: (ticket: number, who: string, time: string) =>
      `Order #${ticket}: changed by ${who} ${time}. Your “Served” was not needed.`,
    overtakenBySomebody: (ticket: number) => `Order #${ticket} was changed meanwhile. Your “Served” was not made.`,
    refused: (ticket: number) => `Order #${ticket}: “Served” was not made.`,
    me: 'you',
    close: 'Close',
  },
  tables: {
    title: 'Tables',
    free: 'Free',
    seated: 'Seated',
    openOrders,
    noOrders: 'Nothing ordered yet',
    allServed: 'All served',
    none: 'There are no tables yet. A manager adds them.',
    loading: 'Loading the tables…',
    back: 'All tables',
    total: 'Open total',
    orderHere: 'New order',
    open: 'Open table',
    openHint: 'Guests who scan the code then join this seating.',
    openWith: (count: number) =>
      plural(count, { one: 'Open with this order', other: `Open with these ${count} orders` }),
    openWithHint: 'The table is not open. Open it: then it has one bill, and you can close it.',
    left: 'Of guests who are gone, still in the kitchen',
    leftCount: (count: number) =>
      plural(count, { one: '1 order of guests who are gone', other: `${count} orders of guests who are gone` }),
    bill: (amount: string) => `Bill, ${amount}`,
    billFrom: (ticket: number, amount: string) => `Bill from order #${ticket}, ${amount}`,
    paidBill: (number: number | null) => `Bill ${number}, paid`,
    close: 'Close table',
    closeAsk: (table: string) => `Close table ${table}?`,
    closeTotal: (total: string) => `Open total ${total}.`,
    closeOpenOrders: (count: number) =>
      plural(count, {
        one: '1 order is not served yet. The kitchen goes on with it. Close all the same?',
        other: `${count} orders are not served yet. The kitchen goes on with them. Close all the same?`,
      }),
    closeGuests: 'The guests are signed out. The next scan begins a new bill.',
    closeYes: 'Yes, close it',
    cancel: 'Cancel',
    notDone: 'It was not done.',
    order: (ticket: number) => `Order #${ticket}`,
    byGuest: (name: string, time: string) => `${name}, ${time}`,
    move: 'Move',
    moveLabel: (ticket: number) => `Move order #${ticket}`,
    takeOff: (dish: string) => `Take ${dish} off`,
    takeOffAsk: (quantity: number, dish: string, ticket: number) =>
      `Take ${quantity}\u00A0${dish} off order #${ticket}?`,
    takeOffText: 'The kitchen is told, and it leaves the bill. It cannot be put back: order it again instead.',
    takeOffYes: 'Yes, take it off',
    moveAsk: (ticket: number) => `Move order #${ticket} to which table?`,
    status: {
      received: 'not begun',
      preparing: 'cooking',
      ready: 'ready',
      delivered: 'served',
      cancelled: 'cancelled',
    },
    unknown: 'There is no such table.',
    unknownToDo: 'Choose another one under “All tables”, or have a manager add it.',
    unknownHint: 'Move its orders to a table that exists.',
  },
  order: {
    title: 'Order',
    whichTable: 'For which table?',
    change: 'Change table',
    search: 'Search a dish',
    categories: 'Parts of the menu',
    others: 'More',
    nothingFound: 'No dish has all of these words.',
    add: (name: string) => `Add ${name}`,
    soldOut: 'Sold out',
    left: (count: number) => `${count} left`,
    review: (count: number, total: string) =>
      `Review, ${plural(count, { one: '1 item', other: `${count} items` })}, ${total}`,
    begunFor: (table: string) => `This was chosen for table ${table}, and is not sent:`,
    beginAnew: 'Begin anew',
    takeFor: (table: string) => `Take it for table ${table}`,
    backTo: (table: string) => `Back to table ${table}`,
    reviewTitle: (table: string) => `Order for table ${table}`,
    remarks: (name: string) => `Remarks for ${name}`,
    remarksHint: 'What the kitchen must know about it.',
    allergies: 'Allergies of the guest',
    contains: (names: string) => `Contains ${names}`,
    unstated: 'Allergens not stated',
    clash: (dish: string, names: string) => `${dish} contains ${names}.`,
    clashToDo: 'Ask the guest before you send it.',
    unstatedAsk: (names: string) => `Allergens not stated, ask the kitchen: ${names}`,
    addMore: 'Add more',
    empty: 'Nothing is chosen yet.',
    send: 'Send to kitchen',
    total: 'Total',
    unknownTable: (table: string) =>
      `There’s no table ${table} in the list. Check the number before you send the order.`,
    opens: 'The table is free: it is opened with this order.',
    discard: 'Discard the order',
    discardAsk: 'Discard all that is chosen?',
    discardYes: 'Yes, discard',
    keep: 'Keep',
  },
  outbox: {
    sending: (table: string) => `Table ${table}: sending…`,
    late: (table: string) => `Table ${table}: not sent yet.`,
    lateHint: 'We keep trying. The kitchen has NOT got this.',
    tryNow: 'Try now',
    stop: 'Stop',
    refused: (table: string) => `Table ${table}: the order was refused.`,
    soldOut: (names: string) => `${names}: sold out, or too few are left. Nothing was ordered.`,
    edit: 'Change it',
    old: (table: string) => `Table ${table}: NOT SENT, the order is old.`,
    oldHint: (minutes: number) => `It is more than ${minutes} minutes old, so it is not sent by itself.`,
    stopped: (table: string) => `Table ${table}: stopped.`,
    lookFirst: 'An earlier attempt may have arrived: look at the orders of the table first.',
    sendHeld: 'Send it now',
    draftFirst: 'To change it, first send or discard the order that you are taking.',
    items: (count: number) => plural(count, { one: '1 item', other: `${count} items` }),
  },
};
