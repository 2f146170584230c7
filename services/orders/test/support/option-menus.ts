import { created } from '@comanda/testing/call';
import type { OrdersHarness } from './harness.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- responses are checked against their contract
type Json = any;
type SentOption = { name: string; price: string; [field: string]: unknown };

/** Creates helpers for menus with options. */
export function optionMenus({ manager, waiter }: Pick<OrdersHarness, 'manager' | 'waiter'>) {
  const newGroup = async (options: SentOption[], fields: object = {}): Promise<Json> =>
    created(await manager('POST', '/option-groups', { body: { name: 'Group', min: 0, max: 1, options, ...fields } }));
  return {
    newGroup,
    sellOut: async ({ id, options }: Json, at = 0, available = false): Promise<Json> =>
      (await waiter('PUT', `/option-groups/${id}/options/${options[at].id}/availability`, { body: { available } }))
        .body,
    /** Adds the groups of a pizza: its size opens its flavours, whose average counts, and its crust. */
    pizza: async () => {
      const flavours = await newGroup(
        [
          { name: 'Calabresa', price: '58.00', kitchen_name: 'CALAB', name_translations: { en: 'Smoked sausage' } },
          { name: 'Portuguesa', price: '64.00' },
        ],
        { name: 'Sabores', name_translations: { en: 'Flavours' }, min: 1, max: 2, price_method: 'average' },
      );
      const crust = await newGroup([{ name: 'Catupiry', price: '12.00' }], { name: 'Borda' });
      const size = await newGroup([{ name: 'Grande', price: '0.00', option_group_ids: [flavours.id, crust.id] }], {
        name: 'Tamanho',
        min: 1,
      });
      return { size, flavours, crust };
    },
  };
}
