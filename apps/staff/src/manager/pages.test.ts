import { expect, test } from '@jest/globals';
import { createPages } from './pages.ts';

type Person = { id: number; name: string };
const person = (id: number, name = `person ${id}`): Person => ({ id, name });
const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Opens a list that is loaded page by page. The test decides when and how each page is returned. */
function openHeld() {
  const asked: ((page: Person[]) => void)[] = [];
  async function* open(): AsyncGenerator<Person[], void, undefined> {
    for (;;) yield await new Promise<Person[]>((resolve) => asked.push(resolve));
  }
  const pages = createPages(open, 1);
  const answer = async (index: number, ...page: Person[]): Promise<void> => {
    asked[index]?.(page);
    await soon();
  };
  return { pages, answer, names: () => pages.list.value.items.map(({ name }) => name) };
}

test('a new page follows the earlier ones, and the user can load the next', async () => {
  const { pages, answer, names } = openHeld();
  pages.reload();
  expect(pages.list.value.isBusy).toBe(true);
  await answer(0, person(1));
  pages.more();
  pages.more(); // while the first page is still loading
  await answer(1, person(2));
  expect(names()).toEqual(['person 1', 'person 2']);
  expect(pages.list.value).toMatchObject({ isBusy: false, hasMore: true, failure: null });
  pages.more();
  await answer(2);
  expect(pages.list.value.hasMore).toBe(false);
});

test('a change made while the next page is loading stays', async () => {
  const { pages, answer, names } = openHeld();
  pages.reload();
  await answer(0, person(1));
  pages.more();
  pages.replace(person(1, 'Ana'), ({ id }) => id === 1);
  pages.replace(person(2, 'Rui'), ({ id }) => id === 2);
  await answer(1, person(2));
  expect(names()).toEqual(['Ana', 'Rui']);
});

test('a page that arrives after the list was reloaded is discarded', async () => {
  const { pages, answer, names } = openHeld();
  pages.reload();
  await answer(0, person(1));
  pages.more();
  pages.reload();
  await answer(2, person(3), person(1));
  await answer(1, person(2));
  expect(names()).toEqual(['person 3', 'person 1']);
  expect(pages.list.value.isBusy).toBe(false);
});

test('a page that cannot be loaded causes an error, and the list is reloaded from its start', async () => {
  const answers: (Person[] | Error)[] = [[person(1)], new Error('no network'), [person(2)]];
  const pages = createPages<Person>(async function* open() {
    for (;;) {
      const next = answers.shift() ?? [];
      if (next instanceof Error) throw next;
      yield next;
    }
  }, 1);
  pages.reload();
  await soon();
  pages.more();
  await soon();
  expect(pages.list.value).toMatchObject({ items: [], hasMore: false, failure: new Error('no network') });
  pages.more(); // ignored, because a finished list has no more pages
  pages.reload();
  await soon();
  expect(pages.list.value).toMatchObject({ items: [person(2)], failure: null });
});
