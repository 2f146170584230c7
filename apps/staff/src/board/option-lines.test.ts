import { expect, test } from '@jest/globals';
import { newItemOption, newOrder } from '@comanda/testing/stand/data';
import { allStations } from '../bumps/all-stations.ts';
import { ticketOf } from '../bumps/ticket.ts';
import { countDishes } from './count-dishes.ts';
import { optionLines } from './option-lines.ts';

const feijoada = 'Feijoada';
const half = (name: string) => newItemOption(name, { group: 'Sabores', of: 2, kitchen_name: name.toUpperCase() });
const pizza = [
  newItemOption('Grande', { group: 'Tamanho', options: [half('calab'), half('port')] }),
  newItemOption('Borda recheada', { group: 'Borda' }),
  newItemOption('Bacon', { group: 'Extras', quantity: 2 }),
  newItemOption('Milho', { group: 'Extras' }),
];
/** Returns the station's ticket of an order whose first item has these options. */
function ticketWith(options: typeof pizza, station = allStations, differs: object = {}) {
  const order = newOrder({ items: [feijoada, 'Caipirinha'] });
  const items = order.items.map((item, at) => (at === 0 ? { ...item, options } : { ...item, ...differs }));
  const ticket = ticketOf({ ...order, items }, station);
  if (!ticket) throw new Error(`${station} has no ticket.`);
  return ticket;
}
function linesOf(ticket: ReturnType<typeof ticketWith>) {
  const [first] = ticket.items;
  if (!first) throw new Error('The ticket has no item.');
  return optionLines(first, ticket).map(
    ({ depth, text, station }) => `${'  '.repeat(depth)}${text}${station === undefined ? '' : ` (${station})`}`,
  );
}

test('the options of a dish are one a line, with kitchen names, halves and quantities', () => {
  expect(linesOf(ticketWith(pizza))).toEqual([
    'Grande',
    '  1/2 CALAB',
    '  1/2 PORT',
    'Borda recheada',
    '2× Bacon',
    'Milho',
  ]);
});

test('a quantity of several dishes is for each of them', () => {
  const ticket = ticketWith(pizza.slice(2));
  expect(linesOf({ ...ticket, items: ticket.items.map((item) => ({ ...item, quantity: 3 })) })).toEqual([
    '2× Bacon each',
    'Milho',
  ]);
});

test('a whole pizza of one flavour is no fraction', () => {
  expect(linesOf(ticketWith([newItemOption('Calabresa', { of: 1 })]))).toEqual(['Calabresa']);
  expect(linesOf(ticketWith([newItemOption('Calabresa', { of: 2, quantity: 2 })]))).toEqual(['Calabresa']);
});

test("a combo's component is a line with its station, unless it is on the same ticket or the plate is remade", () => {
  const [combo, drink] = newOrder({ items: [feijoada, 'Caipirinha'] }).items;
  const options = [newItemOption('Caipirinha', { item_id: drink?.item_id ?? 0, options: [newItemOption('Sem gelo')] })];
  const part = { part_of: combo?.id };

  expect(linesOf(ticketWith(options, 'kitchen', part))).toEqual(['Caipirinha (bar)']);
  expect(linesOf(ticketWith(options, allStations, part))).toEqual([]);
  const remade = { remake: { of: 7, reason: 'burnt' } };
  const ticket = ticketWith([...options, newItemOption('Sem cebola')], 'kitchen');
  expect(linesOf({ ...ticket, items: ticket.items.map((item) => ({ ...item, ...remade })) })).toEqual(['Sem cebola']);
});

test('All-day counts each option and each remark of a dish, but a component only as a dish', () => {
  const options = [...pizza, newItemOption('Caipirinha', { item_id: 9 })];
  const ticket = ticketWith(options, 'kitchen');
  const twice = { ...ticket, items: ticket.items.map((item) => ({ ...item, quantity: 2, remarks: 'sem sal' })) };

  expect(countDishes([ticket, twice]).map(({ name, toCook, details }) => [name, toCook, details])).toEqual([
    [
      feijoada,
      3,
      [
        ['Bacon', 6],
        ['Grande', 3],
        ['1/2 CALAB', 3],
        ['1/2 PORT', 3],
        ['Borda recheada', 3],
        ['Milho', 3],
        ['sem sal', 2],
      ].map(([text, toCook]) => ({ text, toCook, cooking: 0, isRemark: text === 'sem sal' })),
    ],
  ]);
});
