import { common } from '@comanda/ui/messages/common.en.ts';
import { plural } from '@comanda/ui/format.ts';

const items = (count: number): string => `${count} ${plural(count, { one: 'item', other: 'items' })}`;

export const en = {
  table: (name: string) => `Table ${name}`,
  restaurant: 'Restaurant',
  menu: 'Menu',
  account: 'Account',
  loading: 'Loading the menu…',

  scanTitle: 'Scan the code on your table',
  scanText: 'Then order from your phone. You can browse the menu now.',
  scanAgain: {
    ended: {
      title: 'You’re no longer at this table',
      text: 'The table was closed or its code changed. Scan the code on the table to order again. Your basket is saved on this phone.',
    },
    table_token_invalid: {
      title: 'This code no longer works',
      text: 'Nothing was ordered. Scan the code on your table again, or ask a waiter.',
    },
    seating_not_open: {
      title: 'This table isn’t open yet',
      text: 'Ask a waiter to open it, then scan the code again.',
    },
    failed: {
      title: 'We couldn’t connect you to the table',
      text: 'Check the Wi-Fi and try again.',
    },
  },
  tryAgain: common.tryAgain,

  search: 'Search dishes',
  closeSearch: 'Close search',
  categories: 'Menu sections',
  otherCategory: 'More',
  filter: 'Allergies',
  filterTitle: 'What can’t you eat?',
  filterText: 'We hide dishes that contain it, as listed by the kitchen. Ask a waiter about traces.',
  filterDone: 'Show dishes',
  filterClear: 'Clear all',
  hidden: (count: number, allergens: string) =>
    `${count} ${plural(count, { one: 'dish', other: 'dishes' })} with ${allergens} hidden`,
  filterOn: (allergens: string) => `Hiding dishes with ${allergens}`,
  nothingFound: (text: string) => `No dishes match “${text}”`,
  nothingFoundHint: 'Try a shorter word, or browse the menu.',
  nothingLeft: 'No dishes to show',
  nothingLeftHint: 'Every dish here contains something you can’t eat. Ask a waiter what the kitchen can change.',
  clearSearch: 'Clear search',
  emptyMenu: 'The menu is empty',
  emptyMenuHint: 'Ask a waiter what’s available today.',
  menuOf: (time: string) => `You’re offline. This menu is from ${time}.`,
  menuOfHint: 'Prices and availability may have changed.',
  menuFailed: 'The menu couldn’t be loaded.',
  contains: (allergens: string) => `Contains ${allergens}`,
  unstated: 'Allergens not listed. Ask a waiter.',
  soldOut: 'Sold out today',
  left: (count: number) => `${count} left`,
  addDish: (dish: string) => `Add ${dish}`,
  inBasket: (count: number) => `${count} in your order`,
  added: (dish: string, count: number) => `${dish} added. ${items(count)} in your order.`,
  noMore: (dish: string) => `No more ${dish} available.`,

  basket: (count: number, sum: string) => `Basket, ${items(count)}, ${sum}`,
  items,
  review: 'Review',
  yourOrder: 'Your order',
  thisOrder: 'This order',
  pausedUntil: (time: string) => `The kitchen isn’t taking orders until ${time}`,
  pausedHint: 'Your basket is saved. Send it when the kitchen is back.',

  understood: 'Got it',

  orders: 'Orders',
  notSentShort: 'Not sent yet',
  lookAtOrder: 'Check your order',
  bill: (left: string) => `Bill · ${left} left`,
  ways: 'Basket and orders',
  billPaid: 'Bill · paid',
  statuses: common.statuses,
  counts: {
    ready: (count: number) => `${count} ready`,
    preparing: (count: number) => `${count} preparing`,
    received: (count: number) => `${count} waiting`,
    delivered: (count: number) => `${count} served`,
  },
  orderSent: (ticket: number) => `Order ${ticket} sent.`,
  orderCancelled: (ticket: number) => `Order ${ticket} cancelled.`,
  readyNow: (dishes: string) => `Ready: ${dishes}`,
  statusNow: (dish: string, status: string) => `${dish}: ${status}`,
};
