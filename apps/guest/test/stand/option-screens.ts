import type { OptionGroup } from '@comanda/contracts/option-groups';
import { dishNamed, newBill, newOrder } from '@comanda/testing/stand/data';
import { optionGroups } from '@comanda/testing/stand/option-groups';
import type { Page } from 'playwright-core';
import { acai, basketWith, choosing, chosen, combo, fish, halves, option, pizza, steak } from './option-menu.ts';
import type { ShownScreen } from './screens.ts';

// The screens on which guests see or choose options. The steps use no text, so they work in both languages.

const pathOf = ({ id }: { id: number }): string => `#/dish/${id}`;
/** Taps the rows of options with these positions on the page, one after another. */
const tap = async (page: Page, ...rows: readonly number[]): Promise<void> => {
  for (const row of rows) await page.locator('.option-main').nth(row).click();
};
const order = newOrder({
  items: [
    { dish: pizza, ...chosen(pizza, halves) },
    {
      dish: combo,
      status: 'preparing',
      ...chosen(combo, [option('Bebida do combo', 'Chope claro'), option('Adicionais', 'Bacon', { quantity: 2 })]),
    },
    { dish: dishNamed('Chope claro 300 ml'), status: 'ready', part_of: 10_421, unit_price: '0.00' },
    { dish: dishNamed('Caipirinha'), status: 'cancelled', split_from: 10_420 },
    { dish: fish, measure: { value: '0.432', unit: 'kg', price: '139.00' }, unit_price: '60.05' },
  ],
});
const remake = newOrder({
  id: 1043,
  split_from: 1042,
  items: [{ dish: steak, ...chosen(steak, []), unit_price: '0.00', remake: { of: 1, reason: 'Queimou' } }],
});
const ordered = choosing({ orders: [order, remake], bills: [newBill([order])] });
const basket = choosing({
  device: basketWith(
    { dish: pizza, asked: halves, remarks: 'Bem assada.' },
    { dish: steak, asked: [option('Ponto da carne', 'Mal passada')] },
    { dish: acai, asked: [option('Complementos', 'Granola'), option('Complementos', 'Banana', { quantity: 2 })] },
  ),
});

/** A group of which only the last option is left. */
const lastOnly = (group: OptionGroup): OptionGroup => ({ ...group, options: group.options.slice(-1) });

export const optionScreens: Readonly<Record<string, ShownScreen>> = {
  'the menu with options': { state: choosing(), ready: '.dish-add' },
  'a dish before its options are chosen': { state: choosing(), path: pathOf(pizza), ready: '.option' },
  'a pizza in two halves': {
    state: choosing(),
    path: pathOf(pizza),
    open: (page) => tap(page, 1, 2, 4, 8),
    ready: '.option-group-done',
  },
  'a choice that is not complete': {
    state: choosing(),
    path: pathOf(combo),
    open: (page) => page.locator('.dish-dock .button-primary').click(),
    ready: '.option-group-wrong',
  },
  'toppings of which two are included': {
    state: choosing({ device: { 'comanda.avoided': 'peanuts' } }),
    path: pathOf(acai),
    open: async (page) => {
      await tap(page, 0, 2, 3);
      await page.locator('.option .stepper button').last().click();
    },
    ready: '.option .stepper',
  },
  'a dish that is sold by weight': { state: choosing(), path: pathOf(fish), ready: '.dish-with-staff' },
  'a basket with options': { state: basket, path: '#/review', ready: '.option-lines' },
  'a basket whose options are gone': {
    state: { ...basket, answers: { ...basket.answers, listOptionGroups: optionGroups.map(lastOnly) } },
    path: '#/review',
    ready: '.line-trouble',
  },
  'orders with options': { state: ordered, path: '#/orders', ready: '.option-lines' },
  'the bill of dishes with options': { state: ordered, path: '#/bill', ready: '.option-lines' },
};
