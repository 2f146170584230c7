import { plural } from '@comanda/ui/format.ts';

const items = (count: number): string => `${count} ${plural(count, { one: 'item', other: 'items' })}`;

export const en = {
  table: (name: string) => `Table ${name}`,
  youAreAt: 'You are at',
  menu: 'Menu',
  account: 'Account',
  loading: 'Loading the menu…',

  scanTitle: 'Scan the code on your table',
  scanText: 'Then you can order from here. Until then, this is the menu to read.',
  scanAgain: {
    ended: {
      title: 'Your time at this table has ended',
      text: 'The table was closed or its code changed. To order again, scan the code on the table. What you chose is kept on this phone.',
    },
    table_token_invalid: {
      title: 'This code is not valid any more',
      text: 'You are at no table, and nothing was ordered. Scan the code that is on the table now, or call a waiter.',
    },
    seating_not_open: {
      title: 'This table is not open yet',
      text: 'You cannot order yet. Ask a waiter to open the table, then scan the code again.',
    },
    failed: {
      title: 'We could not sign you in at the table',
      text: 'You cannot order yet. Check the Wi-Fi, then try again.',
    },
  },
  tryAgain: 'Try again',

  search: 'Search dishes',
  closeSearch: 'Close the search',
  categories: 'Parts of the menu',
  otherCategory: 'More',
  filter: 'Allergies',
  filterTitle: 'What can you not eat?',
  filterText: 'Dishes that contain it are hidden, as the kitchen declared them. For traces, ask a waiter.',
  filterDone: 'Show the dishes',
  filterClear: 'Clear my choices',
  hidden: (count: number, allergens: string) =>
    `${count} ${plural(count, { one: 'dish is', other: 'dishes are' })} hidden: with ${allergens}.`,
  filterOn: (allergens: string) => `Nothing with ${allergens}.`,
  nothingFound: (text: string) => `No dish with “${text}”`,
  nothingFoundHint: 'Try a shorter word, or look through the menu.',
  nothingLeft: 'No dish is left',
  nothingLeftHint: 'Every dish here contains something that you do not eat. Ask a waiter what the kitchen can change.',
  clearSearch: 'Clear the search',
  emptyMenu: 'The menu is empty',
  emptyMenuHint: 'Ask a waiter what there is today.',
  menuOf: (time: string) => `No connection. This is the menu of ${time}.`,
  menuOfHint: 'Prices and what is sold out may have changed.',
  menuFailed: 'The menu did not load.',
  contains: (allergens: string) => `Contains ${allergens}`,
  unstated: 'Allergens not stated: ask',
  soldOut: 'Sold out today',
  left: (count: number) => `${count} left`,
  addDish: (dish: string) => `Add ${dish}`,
  inBasket: (count: number) => `${count} in your order`,
  added: (dish: string, count: number) => `${dish} added. ${items(count)} in your order.`,
  noMore: (dish: string) => `There is no more ${dish}.`,

  basket: (count: number, sum: string) => `Basket, ${items(count)}, ${sum}`,
  items,
  review: 'Review',
  yourOrder: 'Your order',
  thisOrder: 'This order',
  pausedUntil: (time: string) => `The kitchen takes no orders until ${time}`,
  pausedHint: 'What you chose is kept. You can send it when the kitchen goes on.',

  understood: 'Understood',

  orders: 'Orders',
  bill: (left: string) => `Bill, ${left}`,
  ways: 'Your order and your orders',
  billPaid: 'Bill, all paid',
  statuses: { received: 'received', preparing: 'cooking', ready: 'ready', delivered: 'served', cancelled: 'cancelled' },
  counts: {
    ready: (count: number) => `${count} ready`,
    preparing: (count: number) => `${count} cooking`,
    received: (count: number) => `${count} received`,
    delivered: (count: number) => `${count} served`,
  },
  orderSent: (ticket: number) => `Order ${ticket} is sent.`,
  orderCancelled: (ticket: number) => `Order ${ticket} is cancelled.`,
  readyNow: (dishes: string) => `Ready: ${dishes}`,
  statusNow: (dish: string, status: string) => `${dish}: ${status}`,
};
