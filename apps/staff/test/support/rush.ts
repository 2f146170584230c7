import { menu, newOrder } from '@comanda/testing/stand/data';
import type { StaffApp, Order } from './staff-app.ts';

type Row = [table: string, lines: string[], allergies?: string];

/** 27 ordinary tickets for the demo's kitchen, with lines such as `2 Feijoada, sem pimenta`. */
const rows: readonly Row[] = [
  ['7', ['1 Moqueca', '1 Picanha, mal passada', '2 Pão']],
  ['3', ['2 Feijoada, sem pimenta', '1 Risoto']],
  ['12', ['2 Picanha, ao ponto', '1 Moqueca, sem coentro', '2 Feijoada'], 'amendoim'],
  ['5', ['1 Bolinho', '2 Risoto, um sem parmesão']],
  ['9', ['3 Picanha, bem passada, molho à parte', '1 Pudim']],
  ['2', ['2 Moqueca, sem dendê']],
  ['10', ['6 Pão', '1 Moqueca', '2 Chope'], 'camarão'],
  ['6', ['2 Caipirinha, pouco gelo', '1 Chope', '1 Bolinho']],
  ['1', ['3 Feijoada']],
  ['4', ['1 Risoto', '1 Picanha, ao ponto', '1 Feijoada', '2 Caipirinha']],
  ['8', ['2 Bolinho', '2 Chope']],
  ['11', ['1 Feijoada, sem couve', '1 Moqueca']],
  ['7', ['2 Pudim']],
  ['3', ['1 Caldinho', '1 Pão', '2 Risoto']],
  ['12', ['1 Prato', '1 Picanha, mal passada']],
  ['5', ['2 Água', '1 Feijoada, para dividir em dois pratos', '1 Pudim']],
  ['9', ['2 Picanha, ao ponto', '2 Risoto']],
  ['2', ['1 Moqueca', '1 Prato', '1 Feijoada'], 'leite'],
  ['10', ['4 Pão', '2 Caldinho']],
  ['6', ['1 Risoto, sem parmesão', '1 Bolinho']],
  ['1', ['1 Picanha, bem passada', '2 Feijoada']],
  ['4', ['2 Chope', '1 Bolinho']],
  ['8', ['1 Moqueca, sem pimentão', '1 Prato', '2 Pudim']],
  ['11', ['3 Risoto']],
  ['7', ['1 Feijoada', '1 Picanha, ao ponto']],
  ['3', ['2 Caipirinha', '2 Água']],
  ['12', ['1 Pudim, com duas colheres', '1 Bolinho']],
];

/** Returns this many rows, repeating them if there are not enough. */
const rowsOf = (count: number): readonly Row[] =>
  Array.from({ length: Math.ceil(count / rows.length) }, () => rows)
    .flat()
    .slice(0, count);
/** Parses a line such as `2 Feijoada, sem pimenta`. The name must be that of one of these dishes. */
function readLine<D extends { name: string }>(text: string, dishes: readonly D[]) {
  const [, quantity, first = '', remarks = ''] = /^(\d+) ([^\s,]+)(?:, (.*))?$/.exec(text) ?? [];
  const dish = dishes.find(({ name }) => name.startsWith(first));
  if (!dish) throw new Error(`There is no dish ${first}.`);
  return { dish, quantity: Number(quantity), remarks };
}

/** Places this many of the rush orders, one after the other. */
export async function placeRush(app: Pick<StaffApp, 'manager' | 'place'>, count = rows.length): Promise<Order[]> {
  const dishes = (await app.manager('GET', '/menu')).body as {
    id: number;
    name: string;
    portions_left: number | null;
  }[];
  // Dishes without a limit on portions are never sold out, even if many tests order them.
  for (const { id, portions_left: left } of dishes)
    if (left !== null)
      await app.manager('PUT', `/menu/${id}/availability`, { body: { available: true, portions_left: null } });
  const groups = (await app.manager('GET', '/option-groups')).body as Order[];
  const doneness = groups.find(({ name }) => name === 'Ponto da carne')?.options as { id: number; name: string }[];
  const orders: Order[] = [];
  for (const [table, lines, allergies] of rowsOf(count)) {
    const items = lines.map((text) => {
      const { dish, quantity, remarks } = readLine(text, dishes);
      const option = doneness.find(({ name }) => remarks.startsWith(name.toLowerCase()));
      if (!option) return { name: dish.name, quantity, remarks };
      const rest = remarks.slice(option.name.length).replace(', ', '');
      return { name: dish.name, quantity, remarks: rest, options: [{ id: option.id }] };
    });
    orders.push(await app.place(table, items, allergies));
  }
  return orders;
}

/** Creates the same orders for tests without services. */
export const rushOrders = (count: number) =>
  rowsOf(count).map(([table, lines, allergies = null], index) =>
    newOrder({ id: 100 + index, table, allergies, items: lines.map((text) => readLine(text, menu)) }),
  );
