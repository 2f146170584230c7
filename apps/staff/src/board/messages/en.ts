import { plural } from '@comanda/ui/format.ts';
import { common } from '@comanda/ui/messages/common.en.ts';
import { forms } from '@comanda/ui/messages/forms.en.ts';

export const en = {
  board: {
    empty: 'No open orders.',
    emptySince: (time: string) => `Live since ${time}.`,
    emptyHint: 'A new order appears here by itself, with a sound.',
    notRead: 'Loading orders…',
    notLoaded: 'The orders haven’t loaded.',
    printTitle: (count: number) => plural(count, { one: '1 open ticket', other: `${count} open tickets` }),
    reprint: 'REPRINT',
  },
  allDay: {
    subtitle: 'Everything still to prepare.',
    dish: 'Dish',
    toCook: 'Waiting',
    cooking: 'Preparing',
    empty: 'Nothing to prepare.',
  },
  recallDrawer: {
    notLoaded: 'Tickets from other screens haven’t loaded. Open this again to retry.',
    empty: 'Nothing to recall.',
    bringBack: 'Bring back',
    takeBack: (ticket: number) => `Bring back ticket ${ticket}`,
  },
  soldOut: {
    search: 'Search dishes',
    notRead: 'Loading menu…',
    available: 'Available',
    isSoldOut: 'Sold out',
    portions: 'Portions',
    onSale: 'Available',
    left: (count: number) => `${count} left`,
    confirm: (name: string) => `Mark ${name} as sold out?`,
    confirmYes: 'Yes, sold out',
    cancel: forms.cancel,
  },
  ticketBack: {
    stepBack: (name: string) => `Move ${name} back a step`,
    remove: 'Remove',
    takeOff: (name: string) => `Remove ${name}`,
    askOff: ({ quantity, name }: { quantity: number; name: string }) => `Remove ${quantity}\u00A0${name}?`,
    yesOff: 'Yes, remove',
    cancel: 'Cancel order',
    cancelOne: (ticket: number) => `Cancel order ${ticket}`,
    askCancel: 'Cancel the whole order?',
    yesCancel: 'Yes, cancel',
    no: 'No',
    backToTicket: 'Back',
    print: 'Print',
    printOne: (ticket: number) => `Print ticket ${ticket}`,
  },
  busy: {
    pause: (minutes: number) => `Busy: pause guests’ orders for ${minutes} min`,
    resume: 'Let guests order again',
    notPaused: 'Not paused: guests can still order.',
    notResumed: 'Still paused: guests can’t order.',
    askManager: 'A manager has set a longer pause. Ask a manager to end it.',
  },
  notice: {
    bumpedBy: (who: string, time: string) => `Bumped by ${who} at ${time}`,
    changedBy: (who: string, time: string) => `Changed by ${who} at ${time}. Your bump didn’t go through.`,
    changed: 'Another person changed this ticket. Your bump didn’t go through.',
    notBumped: 'The bump didn’t go through.',
    notCancelled: 'Nothing was cancelled.',
    lookAgain: 'Another person changed this ticket. Check it again.',
    close: common.close,
  },
};
export type Messages = typeof en;
