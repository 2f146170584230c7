import { expect, test } from '@jest/globals';
import { freedTable } from './freed-table.ts';
import { en } from './messages/en.ts';
import { ptBr } from './messages/pt-br.ts';

const says = (table: Parameters<typeof freedTable>[1]['tables'][number], openCount: number | null): string[] => {
  const ended = { ...freedTable('12', { tables: [table], countOpen: () => openCount }), number: 3 };
  return [en.notice.ended(ended), ptBr.notice.ended(ended)];
};
const free = { table: '12', seating: null, status: 'free' } as const;
const toClean = { ...free, status: 'to_clean' } as const;

test.each([
  [free, 0, ['Bill 3 is closed. Table 12 is free.', 'A conta 3 está fechada. A mesa 12 está livre.']],
  [toClean, 0, ['Bill 3 is closed. Table 12 needs cleaning.', 'A conta 3 está fechada. A mesa 12 precisa ser limpa.']],
  [
    free,
    1,
    [
      'Bill 3 is closed. Table 12 still has 1 open order.',
      'A conta 3 está fechada. A mesa 12 ainda tem 1 pedido aberto.',
    ],
  ],
  [
    toClean,
    2,
    [
      'Bill 3 is closed. Table 12 needs cleaning and still has 2 open orders.',
      'A conta 3 está fechada. A mesa 12 precisa ser limpa e ainda tem 2 pedidos abertos.',
    ],
  ],
  // The orders are not loaded yet, or new guests sit at the table.
  [free, null, ['Bill 3 is closed.', 'A conta 3 está fechada.']],
  [{ ...free, seating: 7, status: 'seated' } as const, 0, ['Bill 3 is closed.', 'A conta 3 está fechada.']],
])('the notice is right when a bill is closed and its table is %j with %j open orders', (table, openCount, lines) => {
  expect(says(table, openCount)).toEqual(lines);
});
