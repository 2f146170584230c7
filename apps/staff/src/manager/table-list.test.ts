import type { Client } from '@comanda/client';
import type { Table } from '@comanda/contracts/tables';
import { expect, test } from '@jest/globals';
import { createTableList } from './table-list.ts';

const table = (name: string, url = `/?t=${name}`) => ({ table: name, url }) as Table;
const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Tables whose reads are answered when and how the test says. */
async function openHeld(...found: Table[]) {
  const asked: ((tables: Table[]) => void)[] = [];
  const calls = { listTables: () => new Promise<Table[]>((resolve) => asked.push(resolve)) };
  const list = createTableList({ calls } as unknown as Client);
  const reading = list.read();
  asked[0]?.(found);
  await reading;
  return {
    ...list,
    answer: async (index: number, ...tables: Table[]): Promise<void> => {
      asked[index]?.(tables);
      await soon();
    },
    urls: () => list.tables.value?.map(({ url }) => url),
  };
}

test('when a code is replaced while the tables are being read, then the dead one does not come back', async () => {
  const { read, put, answer, urls } = await openHeld(table('2'), table('10'));
  void read();
  put(table('2', '/?t=new'));
  await answer(1, table('2'), table('10'));
  expect(urls()).toEqual(['/?t=new', '/?t=10']);
  await answer(2, table('10'), table('2', '/?t=new'));
  expect(urls()).toEqual(['/?t=new', '/?t=10']);
});

test('when a table is added or removed while the tables are being read, then the older answer undoes neither', async () => {
  const { read, put, remove, answer, urls } = await openHeld(table('1'), table('2'));
  void read();
  put(table('3'));
  remove(table('1'));
  await answer(1, table('1'), table('2'));
  expect(urls()).toEqual(['/?t=2', '/?t=3']);
});
