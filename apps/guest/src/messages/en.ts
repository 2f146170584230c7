import { common } from '@comanda/ui/messages/common.en.ts';
import { plural } from '@comanda/ui/format.ts';

const items = (count: number): string => `${count} ${plural(count, { one: 'item', other: 'items' })}`;

export const en = {
  table: (name: string) => `Table ${name}`,
  restaurant: 'Restaurant',
  menu: 'Menu',
  account: 'Account',
  call: 'Call',
  callTitle: 'What do you need?',
  more: 'Language and account',
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
  goodbye: 'All paid. Thank you for your visit!',
  goodbyeText: 'To order again, scan the code on the table.',
  tryAgain: common.tryAgain,

  search: 'Search dishes',
  closeSearch: 'Close search',
  categories: 'Menu sections',
  otherCategory: 'More',
  filter: 'Allergies',
  filterTitle: 'What can’t you eat?',
  change: 'Change',
  hidden: (count: number, allergens: string) =>
    `${count} ${plural(count, { one: 'dish', other: 'dishes' })} with ${allergens} hidden`,
  filterOn: (allergens: string) => `Hiding dishes with ${allergens}`,
  menuFailed: 'The menu couldn’t be loaded.',
  contains: (allergens: string) => `Contains ${allergens}`,
  unstated: 'Allergens not listed. Ask a waiter.',
  soldOut: 'Sold out today',
  left: (count: number) => `${count} left`,
  from: (price: string) => `from ${price}`,
  perKg: (price: string) => `${price}/kg`,
  askUs: ', ask us',
  askPrice: 'Price: ask us',
  less: (dish: string) => `Remove one ${dish}`,
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

  orders: 'Orders',
  ways: 'Basket and orders',
};
