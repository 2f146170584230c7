import type { Locator, Page } from 'playwright-core';
import { dishNamed, menu, newDish, newOption, newOptionGroup } from '@comanda/testing/stand/data';
import type { State } from '@comanda/testing/stand/state';
import { press } from '../support/page.ts';
import { managing } from './manager-states.ts';

// A menu with a pizza: its size opens its flavours. No dish has the drink of a combo yet.

export const flavours = newOptionGroup(4, 'Sabores', {
  max: 2,
  price_method: 'average',
  options: [
    newOption(31, 'Calabresa', { price: '58.00', kitchen_name: 'CALAB', allergens: ['milk'] }),
    newOption(32, 'Portuguesa', { price: '64.00', available: false }),
    newOption(33, 'Quatro queijos', { price: '66.50', allergens: null }),
  ],
});
export const size = newOptionGroup(5, 'Tamanho', {
  options: [newOption(34, 'Média'), newOption(35, 'Grande', { price: '12.00', option_group_ids: [4] })],
});
export const drink = newOptionGroup(6, 'Bebida do combo', {
  options: [newOption(36, 'Caipirinha', { item_id: dishNamed('Caipirinha').id, allergens: null })],
});
export const groups = [flavours, size, drink];
export const pizza = newDish({ id: 91, name: 'Pizza', price: '0.00', option_group_ids: [5], version: 1 });
export const withGroups = (answers: State['answers'] = {}): State =>
  managing({ dishes: [...menu, pizza], answers: { listOptionGroups: groups, ...answers } });

/** Enters the PIN in the dialog. */
export async function enterPin(page: Page): Promise<Locator> {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('group', { name: 'PIN' }).and(page.locator('[aria-busy=false]')).waitFor();
  await page.keyboard.type('739152');
  await press(dialog, 'Confirm');
  return dialog;
}
