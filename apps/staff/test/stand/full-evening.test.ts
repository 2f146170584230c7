/// <reference lib="dom" />
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { SignInSession } from '@comanda/contracts/sessions';
import { textFaultsOf } from '@comanda/testing/page-checks';
import { dishNamed, minutesAgo, newBill, newOrder } from '@comanda/testing/stand/data';
import { openStand, type Stand, type StandLook } from '@comanda/testing/stand/stand';
import { never, type State } from '@comanda/testing/stand/state';
import type { Locator, Page } from 'playwright-core';
import { looks } from '../support/looks.ts';
import { goTo, phone, press, says } from '../support/page.ts';
import { rushOrders } from '../support/rush.ts';
import { managing, newPayment } from './manager-states.ts';
import { onDuty, onShift } from './states.ts';

// Faults that were found in screenshots of a busy evening, and that no other test would detect.

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('staff');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());

const portuguese = { language: 'pt-BR' } as const;
const at195 = { ...looks['at-195'], ...portuguese };
const upright = { viewport: { width: 768, height: 1_024 }, ...portuguese };
const wall = { viewport: { width: 1_920, height: 1_080 }, ...portuguese };

const boxOf = (element: Locator): Promise<DOMRect> => element.evaluate((each) => each.getBoundingClientRect());
/** Returns true if the element is completely in view and nothing covers it. */
const isWhole = (element: Locator): Promise<boolean> =>
  element.evaluate((each) => {
    const { left, right, top, bottom } = each.getBoundingClientRect();
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    const points = [x, y, left + 2, y, right - 2, y, x, top + 2, x, bottom - 2]; // Not the corners, which are rounded.
    const isSeen = points.every(
      (at, index) => index % 2 === 1 || each.contains(document.elementFromPoint(at, points[index + 1] ?? 0)),
    );
    return isSeen && each.scrollWidth <= each.clientWidth && each.scrollHeight <= each.clientHeight + 1;
  });
/** Returns the smallest distance between an element's text and its edges, in px. */
const restOf = (element: Locator): Promise<number> =>
  element.evaluate((each) => {
    const range = document.createRange();
    range.selectNodeContents(each);
    const [text, box] = [range.getBoundingClientRect(), each.getBoundingClientRect()];
    return Math.min(text.left - box.left, box.right - text.right, text.top - box.top, box.bottom - text.bottom);
  });
const pause = (): Promise<void> =>
  stand.emit('ordering.changed', { paused_until: minutesAgo(-10), reason: null, version: 2 });
const startBoard = async (state: State, look: StandLook, size: 'large' | 'dense'): Promise<Page> => {
  const page = await stand.show(state, '#/board', look);
  await press(page, size === 'large' ? /^(Large|Grandes)$/ : /^(Dense|Compactos)$/);
  await page.locator('button.shift-start').click();
  await page.locator('.ticket').nth(2).waitFor();
  return page;
};

describe('the pause banner', () => {
  test.each([upright, { viewport: { width: 1_024, height: 768 }, ...portuguese }, wall])(
    'is fully visible on a board $viewport.width px wide',
    async (look) => {
      const page = await startBoard(onDuty({ orders: rushOrders(27), answers: { updateOrder: never } }), look, 'large');
      await pause();
      const strip = page.locator('.board-bottom').getByText(/^Clientes não podem pedir até \d\d:\d\d$/);
      await strip.waitFor();
      expect(await isWhole(strip)).toBe(true);
      await page.locator('.board-bottom > .tool').click();
      const older = page.locator('.board-older');
      await older.waitFor();
      await page.locator('.ticket-bump').last().click();
      const undo = page.getByRole('button', { name: 'Desfazer', exact: true });
      await undo.waitFor();
      await stand.shoot(page, `pause-${look.viewport.width}`);
      for (const each of [strip, older, undo]) expect(await isWhole(each)).toBe(true);
    },
  );

  test('has a visible edge in forced colours', async () => {
    const page = await stand.show(onShift(), '#/board', { forcedColors: 'active' });
    await page.locator('.board-empty').waitFor();
    await pause();
    const strip = page.getByText(/^Guests can’t order until /);
    expect(await strip.evaluate((each) => getComputedStyle(each).outlineStyle)).toBe('solid');
  });

  test.each([at195, phone])("is fully visible on a waiter's phone $viewport.width px wide", async (look) => {
    const page = await stand.show(managing(), '#/waiter/ready', look);
    const strip = page.locator('.waiter-unsent').getByText(/\d\d:\d\d/);
    await page.locator('main').waitFor();
    await pause();
    for (const to of ['ready', 'tables', 'order']) {
      await goTo(page, `waiter/${to}`);
      await strip.waitFor();
      expect(await isWhole(strip)).toBe(true);
    }
  });
});

describe('the board', () => {
  test('cuts off nothing on the back of a ticket on a phone at 200% zoom', async () => {
    const orders = [newOrder({ table: '7', items: ['Risoto de cogumelos', 'Feijoada'] })];
    const page = await stand.show(onShift({ orders }), '#/board', at195);
    await page.locator('.ticket button.ticket-position').click();
    const back = page.locator('.ticket-back');
    const check = async (): Promise<void> => {
      await stand.shoot(page, 'ticket-back');
      const rights = await back.locator('button').evaluateAll((all) => all.map((b) => b.getBoundingClientRect().right));
      expect(Math.max(...rights)).toBeLessThanOrEqual((await boxOf(back)).right);
      expect(await back.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0);
      expect(await textFaultsOf(page)).toEqual([]);
    };
    await back.waitFor();
    await check();
    await press(back, /^Cancelar pedido/);
    await press(back, 'Não');
    await back.getByRole('button', { name: 'Tirar Risoto de cogumelos' }).click();
    await back.getByText('Tirar 1 Risoto de cogumelos?').waitFor();
    await check();
  });

  test("shows a drawer's title and search field in full on a phone at 200% zoom", async () => {
    const order = newOrder({ table: '3', items: ['Risoto de cogumelos', 'Feijoada'] });
    const items = order.items.map((item) => ({ ...item, status: 'delivered' as const }));
    const answers = { updateOrder: { ...order, items, status: 'delivered', version: 2 } } as never;
    const page = await stand.show(onShift({ orders: [order], answers }), '#/board', at195);
    await press(page, new RegExp(`^Avançar, .*: comanda ${order.ticket}$`));
    await press(page, 'Recuperar');
    await page.getByRole('button', { name: `Trazer de volta a comanda ${order.ticket}` }).waitFor();
    expect(await textFaultsOf(page)).toEqual([]);
    const [title, close] = [page.locator('.drawer h2'), page.locator('.drawer-close')];
    expect((await boxOf(close)).left - (await boxOf(title)).right).toBeGreaterThanOrEqual(8);
    await page.keyboard.press('Escape');
    await press(page, 'Esgotados');
    const room = await page.locator('.drawer-search').evaluate((field: HTMLElement | SVGElement) => {
      const style = getComputedStyle(field);
      const context = document.createElement('canvas').getContext('2d');
      if (!context) return 0;
      context.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
      const text = context.measureText((field as HTMLInputElement).placeholder).width;
      return field.clientWidth - 2 * Number.parseFloat(style.paddingLeft) - text;
    });
    expect(room).toBeGreaterThanOrEqual(0);
  });

  test.each(['large', 'dense'] as const)(
    'leaves space around numbers and buttons on %s cards on a wall screen',
    async (size) => {
      const single = (id: number, name: string, quantity: number) =>
        newOrder({ id, table: '8', created_at: minutesAgo(3), items: [{ dish: dishNamed(name), quantity }] });
      const orders = [single(50, 'Feijoada', 3), single(51, 'Risoto de cogumelos', 2), ...rushOrders(11)];
      const page = await startBoard(onDuty({ orders }), wall, size);
      await page.locator('.ticket-one-dish').first().waitFor();
      const gaps = await page.locator('.board-slot .ticket-quantity-many').evaluateAll((all) =>
        all.flatMap((each) => {
          const [number, row] = [each.getBoundingClientRect(), each.closest('li')?.getBoundingClientRect()];
          return row ? [number.top - row.top, row.bottom - number.bottom] : [];
        }),
      );
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(3);
      const bump = page.locator('.board-slot .ticket-one-dish > .ticket-bump').first();
      expect(await restOf(bump)).toBeGreaterThanOrEqual(4);
      expect(await textFaultsOf(page)).toEqual([]);
    },
  );
});

describe('the list of sessions', () => {
  const newSession = (index: number): SignInSession => ({
    id: `session-${index}-aaaaaaaaaaaa`,
    is_current: index === 0,
    user_agent: 'Mozilla/5.0',
    address: '203.0.113.7',
    created_at: minutesAgo(90),
    last_used_at: minutesAgo(index),
    ends_at: minutesAgo(-9_000),
  });
  const sessions = [0, 1, 2, 3].map(newSession);
  async function openSessions(): Promise<Page> {
    const left = sessions.filter((_, index) => index !== 1);
    const answers = { listSessions: { turns: [sessions, left] }, endOneSession: null as never };
    const page = await stand.show(managing({ answers }), '#/waiter/ready', upright);
    await press(page, 'Menu');
    await press(page, 'Sessões');
    return page;
  }

  test('shows the network address on a separate line', async () => {
    const page = await openSessions();
    await page.locator('.session').first().getByText('203.0.113.7', { exact: true }).waitFor();
  });

  test('ends only one session on a double tap', async () => {
    const page = await openSessions();
    const end = page.locator('.session').getByRole('button');
    await end.nth(2).waitFor();
    const enabled = end.first().and(page.locator(':not([aria-disabled="true"])'));
    await enabled.waitFor();
    // The second tap comes after the next session has moved into the first one's place.
    await page.locator('.session-list').evaluate(async (list) => {
      const endFirst = (): void => list.querySelector<HTMLElement>('.session button')?.click();
      const count = list.children.length;
      endFirst();
      while (list.children.length === count) await new Promise(requestAnimationFrame);
      endFirst();
    });
    await enabled.waitFor();
    expect(await end.count()).toBe(2);
    expect(await stand.calls('endOneSession')).toHaveLength(1);
  });
});

test('the payment page says that paying by dish is impossible once an amount has been paid', async () => {
  const order = newOrder({ items: ['Feijoada', 'Pudim de leite'] });
  const payments = [newPayment({ method: 'card', amount: '10.00', total: '10.00', part: { amount: '10.00' } })];
  const split = { mode: 'amount', shares_of: null, shares_taken: 0 } as never;
  const bill = newBill([order], { payments, paid: '10.00', split });
  const page = await stand.show(
    managing({ orders: [order], bills: [bill], answers: { getBill: bill } }),
    '#/waiter/bill/312/pay',
    phone,
  );
  await press(page, 'Dishes');
  await says(page, /so you can’t pay by dish/);
  expect(await page.getByRole('checkbox').count()).toBe(0);
});
