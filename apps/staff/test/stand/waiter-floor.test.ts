import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { nextOrder } from '@comanda/testing/stand/data';
import { openStand, type Stand } from '@comanda/testing/stand/stand';
import { never, type State } from '@comanda/testing/stand/state';
import type { Page } from 'playwright-core';
import { phone, press, says, smallPhone } from '../support/page.ts';
import { pressMore } from '../support/waiter-page.ts';
import { atTables, free, newParty, other, paid, party } from './parties.ts';
import { newCall, newTable } from './states.ts';

// The waiters' floor: the tiles of the tables, and each table's next step.

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('staff');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());

const showTable = (name: string, state: State): Promise<Page> => stand.show(state, `#/waiter/tables/${name}`, phone);
const link = (page: Page, table: string) => page.getByRole('link', { name: new RegExp(`^Table ${table}\\b`) });
const callsOf = async (name: Parameters<Stand['calls']>[0]) => (await stand.calls(name)).map(({ input }) => input);

describe('the tiles of the floor', () => {
  const ready = newParty('2', 82);
  const state = atTables({
    parties: [party, paid, { ...ready, order: nextOrder(ready.order, 'ready') }],
    tables: [free, newTable('Varanda-do-norte'), newTable('9', 93), newTable('10', null, { status: 'to_clean' })],
    answers: { listCalls: [newCall({ kind: 'bill', method: 'card' })], getOrderHistory: [] },
  });
  const tiles = (page: Page) => page.locator('.floor-tile');

  test.each([smallPhone, phone, { viewport: { width: 768, height: 1_024 } }])(
    'have one size and no broken line at $viewport.width px',
    async (look) => {
      const page = await stand.show(state, '#/waiter/tables', { ...look, language: 'pt-BR' });
      await tiles(page).nth(6).waitFor();
      const sizes = await tiles(page).evaluateAll((all) =>
        all.map((each) => `${each.clientWidth} ${each.clientHeight}`),
      );
      expect(new Set(sizes).size).toBe(1);
      const { width = 0, height } = (await tiles(page).first().boundingBox()) ?? {};
      expect(width).toBeGreaterThanOrEqual(104);
      expect(height).toBe(88);
      const heights = await page
        .locator('.floor-stay, .floor-tile > b')
        .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().height));
      expect(Math.max(...heights)).toBeLessThanOrEqual(24);
    },
  );

  test('show the state of each table', async () => {
    const page = await stand.show(state, '#/waiter/tables', phone);
    await says(link(page, '2'), /Dishes are ready/);
    const stateOf = (table: string): Promise<string | null> => link(page, table).getAttribute('class');
    for (const [table, is] of [
      ['12', 'wants'],
      ['15', 'paid'],
      ['2', 'ready'],
      ['7', 'free'],
      ['9', 'ordering'],
      ['10', 'to_clean'],
    ] as const)
      expect(await stateOf(table)).toBe(`floor-tile floor-${is}`);
  });

  test('can be sorted by need, which this device remembers', async () => {
    const page = await stand.show(state, '#/waiter/tables', phone);
    const names = (): Promise<string[]> => page.locator('.floor-name strong').allTextContents();
    await tiles(page).nth(6).waitFor();
    expect(await names()).toEqual(['2', '7', '9', '10', '12', '15', 'Varanda-do-norte']);
    await press(page, 'By need');
    const byNeed = ['12', '2', '9', '15', '10', '7', 'Varanda-do-norte'];
    expect(await names()).toEqual(byNeed);
    await page.reload();
    await tiles(page).nth(6).waitFor();
    expect(await names()).toEqual(byNeed);
  });
});

describe('the red button of a table', () => {
  const red = (page: Page) => page.locator('.waiter-actions .button-primary');

  test('takes an order if the guests want nothing else', async () => {
    const page = await showTable('12', atTables());
    await says(page, 'Open total R$ 68.20');
    expect(await red(page).textContent()).toBe('New order');
  });

  test('takes the payment that the guests ask for, by their method', async () => {
    const listCalls = [newCall({ kind: 'bill', method: 'cash' })];
    const page = await showTable('12', atTables({ answers: { listCalls, getRestaurant: never } }));
    await says(red(page), 'Take payment R$ 68.20');
    await red(page).click();
    await page.getByRole('button', { name: 'Cash', pressed: true }).waitFor();
    await page.getByRole('button', { name: 'Record cash R$ 68.20' }).waitFor();
    // A dish is still to be served, so the payment doesn't close the bill.
    expect(await page.getByRole('button', { name: /close bill$/ }).count()).toBe(0);
  });

  test('closes the bill that is paid', async () => {
    const served = { ...paid, order: nextOrder(paid.order, 'delivered') };
    const closed = { ...paid.bill, status: 'closed', number: 9 } as const;
    const answers = { closeBill: closed, closeTable: null as never, listOrders: { turns: [[], [served.order]] } };
    const page = await showTable('15', atTables({ parties: [served], answers }));
    await says(red(page), 'Close bill and free table 15');
    await red(page).click();
    await says(page, /^Bill 9 is closed\./);
    expect(await callsOf('closeTable')).toEqual([{ table: '15' }]);
  });

  test('marks a table as clean', async () => {
    const toClean = newTable('7', null, { status: 'to_clean' });
    const page = await showTable('7', atTables({ tables: [toClean] }));
    await red(page).waitFor();
    expect(await red(page).getAttribute('aria-label')).toBe('Table 7 is clean');
  });
});

test('guests who cannot move are offered to join a table', async () => {
  const page = await showTable('12', atTables({ parties: [party, other], tables: [] }));
  await pressMore(page, 'Move to');
  await says(page, 'All tables are taken. Join with another table instead?');
  await press(page.getByRole('group', { name: /^Move/ }), 'Join with');
  await page.getByRole('button', { name: 'Table 14, seated' }).waitFor();
});

test('the header shows who is signed in, and the tables of this waiter', async () => {
  const mine = { ...party, order: { ...party.order, placed_by: { id: 2, name: 'Wagner' } } };
  const page = await stand.show(atTables({ parties: [mine, other] }), '#/waiter/tables', phone);
  await says(page.locator('.waiter-me'), 'Wagner');
  await says(page.locator('.waiter-me'), 'My tables: 1');
});
