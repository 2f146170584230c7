import { common } from '@comanda/ui/messages/common.en.ts';
import { forms } from '@comanda/ui/messages/forms.en.ts';
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
  myTables: (count: number | null) =>
    count === null ? 'My tables …' : plural(count, { one: '1 open table', other: `${count} open tables` }),
  tabs: { label: 'Waiter', ready: 'Ready', tables: 'Tables', order: 'Order' },
  stopReason: 'Reason',
  paused: (until: string) => `Guests can’t order until ${until}. You can order for them.`,
  notLiveHint: 'Updates aren’t coming in. Check the Wi-Fi. What you serve is saved and will be sent.',
  unsentServed: (count: number) =>
    plural(count, { one: '1 “Served” not sent yet', other: `${count} “Served” not sent yet` }),
  ready: {
    title: 'Ready to serve',
    waiting: (age: string) => `Waiting ${age}`,
    readyWaiting: (age: string) => `Ready, waiting ${age}`,
    served: (count: number) => `Mark ${count} served`,
    serveOne: 'Mark served:',
    counts: (preparing: number, waiting: number) =>
      [preparing > 0 && `${preparing} preparing`, waiting > 0 && `${waiting} waiting`].filter(Boolean).join(', '),
    inKitchen: 'In the kitchen',
    since: (age: string) => `for\u00a0${age}`,
    empty: 'Nothing is ready.',
    emptyHint: 'Dishes appear here when the kitchen finishes them.',
    notRead: 'Loading orders…',
  },
  alarm: {
    title: (table: string | null, ticket: number) =>
      table === null ? `No table, order #${ticket}` : `Table ${table}, order #${ticket}`,
    strip: (count: number) => plural(count, { one: '1 order not seen yet', other: `${count} orders not seen yet` }),
    oldest: (age: string) => `, oldest ${age}`,
    unseen: (stations: readonly string[], age: string) => `No ${stations.join(' or ')} screen shows it yet. ${age}`,
    acknowledge: (stations: readonly string[]) => `I told the ${formatConjunction(stations)}`,
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
    takenOff: (ticket: number, dish: string) => `${dish} removed from order #${ticket}. The kitchen can see it.`,
    closed: (table: string) => `Table ${table} is closed.`,
    opened: (table: string) => `Table ${table} is open.`,
    recorded: (method: string, total: string) => `Recorded: ${method}, ${total}.`,
    ended: ({ table, number, isToClean, openCount }: Ended) => {
      if (table === null) return `Bill ${number} is closed.`;
      if (openCount === 0)
        return `Bill ${number} is closed. Table ${table} ${isToClean ? 'needs cleaning' : 'is free'}.`;
      const clean = isToClean ? 'needs cleaning and ' : '';
      return `Bill ${number} is closed. Table ${table} ${clean}still has ${openOrders(openCount)}.`;
    },
    stopped: (table: string) =>
      `Stopped. An earlier try may have arrived. Check the orders of table ${table} before you send it again.`,
    overtaken: (ticket: number, who: string, time: string) =>
      `Order #${ticket} was already changed by ${who} at ${time}. Your “Served” wasn’t needed.`,
    overtakenBySomebody: (ticket: number) => `Order #${ticket} changed in the meantime, so it wasn’t marked served.`,
    refused: (ticket: number) => `Order #${ticket} wasn’t marked served.`,
    me: 'you',
    close: common.close,
  },
  tables: {
    title: 'Tables',
    free: 'Free',
    openOrders,
    noOrders: 'Nothing ordered yet',
    allServed: 'All served',
    readyOrders: 'Dishes are ready',
    none: 'No tables yet. A manager can add them.',
    loading: 'Loading tables…',
    back: 'All tables',
    total: 'Open total',
    more: (table: string) => `More for table ${table}`,
    takePayment: (amount: string) => `Take payment ${amount}`,
    orderHere: 'New order',
    open: 'Open table',
    openHint: 'Guests who scan the code then join this table.',
    openWith: (count: number) =>
      plural(count, { one: 'Open with this order', other: `Open with these ${count} orders` }),
    openWithHint: 'This table isn’t open. Open it to give it one bill that you can close.',
    left: 'From guests who left, still in the kitchen',
    leftCount: (count: number) =>
      plural(count, { one: '1 order from guests who left', other: `${count} orders from guests who left` }),
    bill: (amount: string) => `Bill · ${amount}`,
    billFrom: (ticket: number, amount: string) => `Bill starting with order #${ticket} · ${amount}`,
    paidBill: (number: number | null) => `Bill ${number} · paid`,
    close: 'Close table',
    closeAsk: (table: string) => `Close table ${table}?`,
    closeTotal: (total: string) => `Open total ${total}.`,
    closeOpenOrders: (count: number) =>
      plural(count, {
        one: '1 order isn’t served yet. The kitchen keeps working on it. Close anyway?',
        other: `${count} orders aren’t served yet. The kitchen keeps working on them. Close anyway?`,
      }),
    closeGuests: 'The guests are signed out. The next scan starts a new bill.',
    closeYes: 'Yes, close it',
    cancel: forms.cancel,
    order: (ticket: number) => `Order #${ticket}`,
    byGuest: (name: string, time: string) => `${name}, ${time}`,
    move: 'Move',
    moveLabel: (ticket: number) => `Move order #${ticket}`,
    takeOff: (dish: string) => `Remove ${dish}`,
    takeOffAsk: (quantity: number, dish: string, ticket: number) =>
      `Remove ${quantity}\u00A0${dish} from order #${ticket}?`,
    takeOffText: 'The kitchen is notified and it comes off the bill. You can’t undo this; order it again if needed.',
    takeOffYes: 'Yes, remove',
    moveAsk: (ticket: number) => `Move order #${ticket} to which table?`,
    status: common.statuses,
    unknown: 'This table doesn’t exist.',
    unknownToDo: 'Choose another one under “All tables”, or ask a manager to add it.',
    unknownHint: 'Move its orders to a table that exists.',
  },
  order: {
    title: 'Order',
    whichTable: 'For which table?',
    change: 'Change table',
    search: 'Search dishes',
    categories: 'Menu sections',
    others: 'More',
    nothingFound: 'No dishes match.',
    add: (name: string) => `Add ${name}`,
    soldOut: 'Sold out',
    left: (count: number) => `${count} left`,
    review: 'Review',
    sum: (count: number, total: string) => `${plural(count, { one: '1 item', other: `${count} items` })} · ${total}`,
    sendShort: 'Send',
    changeShort: 'Change',
    toTable: 'Orders and bill',
    loading: 'Loading menu…',
    recent: 'Last ordered',
    ordered: (name: string) => `${name} in this order`,
    oneLess: (name: string) => `One ${name} less`,
    remarksShort: 'Remarks',
    usualRemarks: 'Usual remarks',
    done: 'Done',
    begunFor: (table: string) => `Unsent order for table ${table}:`,
    beginAnew: 'Start over',
    takeFor: (table: string) => `Use it for table ${table}`,
    backTo: (table: string) => `Back to table ${table}`,
    reviewTitle: (table: string) => `Order for table ${table}`,
    remarks: (name: string) => `Remarks for ${name}`,
    allergies: 'Guest’s allergies',
    contains: (names: string) => `Contains ${names}`,
    unstated: 'Allergens not listed',
    clash: (dish: string, names: string) => `${dish} contains ${names}.`,
    clashToDo: 'Ask the guest before you send it.',
    unstatedAsk: (names: string) => `Allergens not listed. Ask the kitchen: ${names}`,
    addMore: 'Add more',
    empty: 'No dishes yet.',
    send: 'Send to kitchen',
    total: 'Total',
    unknownTable: (table: string) =>
      `There’s no table ${table} in the list. Check the number before you send the order.`,
    opens: 'This table is free. It will be opened with this order.',
    discard: 'Discard order',
    discardAsk: 'Discard the whole order?',
    discardYes: 'Yes, discard',
    keep: forms.keep,
  },
  outbox: {
    sending: (table: string) => `Table ${table}: sending…`,
    late: (table: string) => `Table ${table}: not sent yet.`,
    lateHint: 'Still trying. The kitchen has NOT received this.',
    tryNow: common.tryNow,
    stop: 'Stop',
    refused: (table: string) => `Table ${table}: the order was rejected.`,
    soldOut: (names: string) => `${names}: sold out, or too few are left. Nothing was ordered.`,
    edit: 'Change it',
    old: (table: string) => `Table ${table}: NOT SENT.`,
    oldHint: (minutes: number) => `The order is more than ${minutes} minutes old, so it isn’t sent automatically.`,
    stopped: (table: string) => `Table ${table}: stopped.`,
    lookFirst: 'An earlier try may have arrived. Check the table’s orders first.',
    sendHeld: 'Send it now',
    draftFirst: 'Send or discard the order you’re taking first.',
    items: (count: number) => plural(count, { one: '1 item', other: `${count} items` }),
  },
};
