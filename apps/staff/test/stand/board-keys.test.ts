import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { dishNamed, minutesAgo, newOrder, nextOrder } from '@comanda/testing/stand/data';
import { openStand, type Stand } from '@comanda/testing/stand/stand';
import type { State } from '@comanda/testing/stand/state';
import { until } from '@comanda/testing/until';
import type { Page } from 'playwright-core';
import { bump, isGone, readAllergies, ticketOf } from '../support/board-page.ts';
import { press, tablet, tapTwice } from '../support/page.ts';
import { changesOf, onShift, withAllergiesRead } from './states.ts';

// The bump bar's keys, and double taps.

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('staff');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());

type Order = ReturnType<typeof newOrder>;
const showBoard = (orders: readonly Order[], answers: State['answers'] = {}, look: object = tablet): Promise<Page> =>
  stand.show(onShift({ orders, answers }), '#/board', look);
const pressKeys = async (page: Page, ...keys: string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key);
};
/** Waits until the page has requested exactly these statuses for whole orders, in this order. */
const bumpsAre = (...statuses: string[]): Promise<boolean> =>
  until(async () => (await stand.calls('updateOrder')).map(({ input }) => input['status']).join() === statuses.join(), {
    what: `the bumps ${statuses.join()}`,
  });
/** Waits until the page has requested exactly these statuses for single dishes. An undo moves dishes one by one. */
const undosAre = (...statuses: string[]): Promise<boolean> =>
  until(
    async () => (await stand.calls('updateOrderItem')).map(({ input }) => input['status']).join() === statuses.join(),
    { what: `the undone bumps ${statuses.join()}` },
  );
const allergic = newOrder({ items: ['Feijoada'], allergies: 'peanuts' });
const readAnswers = { markAllergiesRead: withAllergiesRead(allergic), updateOrder: changesOf(allergic, 'preparing') };
const doubleTapMs = 450;

describe('keys', () => {
  test('bump the selected ticket, open Recall, and bump a dish', async () => {
    const first = newOrder({ id: 1, table: '1', items: ['Feijoada'] });
    const second = newOrder({ id: 2, table: '2', items: ['Feijoada', 'Pudim de leite'] });
    const started = nextOrder(second, ['preparing']);
    const served = nextOrder(nextOrder(started, 'ready'), 'delivered');
    const answers = {
      updateOrderItem: {
        turns: [started, nextOrder(served, ['ready']), nextOrder(nextOrder(served, ['ready']), 'ready')],
      },
      updateOrder: changesOf(started, 'ready', 'delivered'),
      getOrder: { turns: [started, served] },
    };
    const page = await showBoard([first, second], answers);
    const card = ticketOf(page, second);
    await card.waitFor();
    await pressKeys(page, '2');
    await card.and(page.locator('[aria-current=true]')).waitFor();
    await pressKeys(page, 'Space');
    await card.getByRole('button', { name: /^1 Feijoada, preparing$/ }).waitFor();
    await pressKeys(page, 'Enter');
    await bumpsAre('ready');
    await page.waitForTimeout(doubleTapMs);
    await pressKeys(page, 'Enter');
    await bumpsAre('ready', 'delivered');
    await isGone(card);
    await pressKeys(page, 'Backspace');
    const recalls = page.getByRole('complementary', { name: 'Recall' }).getByRole('listitem');
    expect(await recalls.first().innerText()).toMatch(/served[^]*Feijoada, Pudim de leite/);
    await recalls.getByRole('button', { name: `Bring back ticket ${second.ticket}` }).press('Enter');
    await card.waitFor();
    // If the drawer stayed open, another press at the same place would undo an earlier bump.
    await isGone(page.getByRole('complementary', { name: 'Recall' }));
    await pressKeys(page, 'ArrowUp', 'm', 'Escape', 's');
    const allDay = page.getByRole('complementary', { name: 'All-day' });
    await allDay.getByRole('listitem').filter({ hasText: '1 Feijoada' }).waitFor();
  });

  test('take effect in order, even if no frame is painted between them', async () => {
    const order = newOrder({ items: ['Feijoada'] });
    const page = await showBoard([order], { updateOrder: changesOf(order, 'preparing') });
    await ticketOf(page, order).waitFor();
    await page.evaluate(async () => {
      for (const key of ['1', 'Enter']) {
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
        for (let turn = 0; turn < 10; turn++) await Promise.resolve(); // No frame is painted between these keys.
      }
    });
    await bumpsAre('preparing');
  });

  test('ask about unconfirmed allergies before they bump', async () => {
    const answers = {
      ...readAnswers,
      getOrder: nextOrder(allergic, 'preparing'),
      updateOrderItem: nextOrder(nextOrder(allergic, 'preparing'), 'received'),
    };
    const page = await showBoard([allergic], answers);
    const ticket = ticketOf(page, allergic);
    await ticket.waitFor();
    await pressKeys(page, '1', 'Enter');
    await ticket.getByText('Read it, bump again').waitFor();
    await bumpsAre();
    await readAllergies(page);
    await pressKeys(page, 'Enter');
    await bumpsAre('preparing');
    await ticket.getByText(/^Read at \d\d:\d\d$/).waitFor();
    await pressKeys(page, 'u');
    await undosAre('received');
  });

  test('confirm the allergies with R', async () => {
    const page = await showBoard([allergic], readAnswers);
    await ticketOf(page, allergic).waitFor();
    await pressKeys(page, '1', 'r');
    await ticketOf(page, allergic)
      .getByText(/^Read at \d\d:\d\d$/)
      .waitFor();
    expect(await stand.calls('markAllergiesRead')).toMatchObject([{ input: { id: allergic.id } }]);
    await pressKeys(page, 'Enter');
    await bumpsAre('preparing');
  });

  test('ask about the allergies when Enter is held down', async () => {
    const page = await showBoard([allergic], readAnswers);
    const asks = ticketOf(page, allergic).getByText('Read it, bump again');
    await ticketOf(page, allergic).waitFor();
    await pressKeys(page, '1');
    await page.keyboard.down('Enter');
    await asks.waitFor();
    await readAllergies(page);
    for (let times = 0; times < 3; times++) await page.keyboard.down('Enter');
    expect(await asks.count()).toBe(1);
    await page.keyboard.up('Enter');
    await pressKeys(page, 'Enter');
    await bumpsAre('preparing');
  });

  test('answer No to "Remove?" with Enter', async () => {
    const order = newOrder({ items: ['Feijoada'] });
    const page = await showBoard([order], { updateOrder: changesOf(order, 'preparing') });
    const ticket = ticketOf(page, order);
    const focused = (name: string) => ticket.getByRole('button', { name, exact: true }).and(page.locator(':focus'));
    await ticket.waitFor();
    await pressKeys(page, '1', 'm');
    await focused('Remove Feijoada').waitFor();
    await pressKeys(page, 'Enter');
    await focused('No').waitFor();
    await pressKeys(page, 'Enter');
    await isGone(ticket.getByRole('button', { name: 'No', exact: true }));
    await pressKeys(page, 'Enter', 'Space', 'm');
    await ticket.getByRole('button', { name: /^1 Feijoada, / }).waitFor();
    await bumpsAre();
    await pressKeys(page, 'Enter');
    await bumpsAre('preparing');
  });

  test('turn the page of a ticket that continues there, before they bump it', async () => {
    const order = newOrder({ items: Array.from({ length: 70 }, () => 'Feijoada') });
    const page = await showBoard([order], { updateOrder: changesOf(order, 'preparing') });
    await page.getByText('Page 1 of 2', { exact: true }).waitFor();
    await pressKeys(page, '1', 'Enter');
    await page.getByText('Page 2 of 2', { exact: true }).waitFor();
    await bumpsAre();
    await pressKeys(page, 'Enter');
    await bumpsAre('preparing');
  });

  test('move between the fields in Sold out without changing them', async () => {
    const page = await showBoard([]);
    await page.locator('.board').waitFor();
    await pressKeys(page, 'o');
    const drawer = page.getByRole('complementary', { name: 'Sold out' });
    await drawer.getByRole('switch').first().waitFor();
    for (const field of ['.drawer-search', '.dish-portions', '.switch']) {
      await pressKeys(page, 'ArrowDown');
      expect(await page.locator(':focus').and(drawer.locator(field)).count()).toBe(1);
    }
    await pressKeys(page, 'ArrowUp', 'ArrowUp');
    expect(await drawer.locator('.dish-portions').first().inputValue()).toBe('');
    await pressKeys(page, 'ArrowDown', 'ArrowDown', 'Enter');
    await drawer.getByRole('button', { name: 'Cancel', exact: true }).and(page.locator(':focus')).waitFor();
    await pressKeys(page, 'Enter');
    await drawer.locator('.drawer-search').focus();
    await pressKeys(page, 'Escape');
    await isGone(drawer);
  });

  test('recall a ticket that another screen bumped', async () => {
    const served = { items: [{ dish: dishNamed('Feijoada'), status: 'delivered' }] } as const;
    const first = newOrder({ id: 1, table: '1', ...served, updated_at: minutesAgo(2) });
    const second = newOrder({ id: 2, table: '2', ...served });
    const page = await showBoard([first, second], { updateOrderItem: nextOrder(first, 'ready'), getOrder: first });
    await page.locator('.board').waitFor();
    await pressKeys(page, 'Backspace');
    const back = page.getByRole('button', { name: `Bring back ticket ${first.ticket}`, exact: true });
    await back.waitFor();
    await pressKeys(page, 'ArrowDown', 'ArrowDown');
    await back.and(page.locator(':focus')).waitFor();
    await pressKeys(page, 'Enter');
    await undosAre('ready');
    await isGone(page.getByRole('complementary', { name: 'Recall' }));
    await ticketOf(page, first).waitFor();
  });

  test('scroll the selected ticket into view on a phone', async () => {
    const numbered = (id: number): Order => newOrder({ id, table: String(id), items: ['Feijoada', 'Pudim de leite'] });
    // The board sorts orders by time, so these are created in the order in which they appear.
    const [first, second, third, fourth] = [numbered(1), numbered(2), numbered(3), numbered(4)];
    const remarks = 'sem cebola, sem coentro; molho à parte, '.repeat(12);
    const items = ['Feijoada', 'Pudim de leite'].map((name) => ({ dish: dishNamed(name), remarks }));
    const high = newOrder({ id: 5, table: '5', items });
    const page = await showBoard([first, second, third, fourth, high], {}, { viewport: { width: 390, height: 640 } });
    const sides = (order: Order): Promise<{ top: number; bottom: number }> =>
      ticketOf(page, order).evaluate((card) => {
        const main = document.querySelector('.board-main')?.getBoundingClientRect();
        const { top, bottom } = card.getBoundingClientRect();
        return { top: top - (main?.top ?? 0), bottom: (main?.bottom ?? 0) - bottom };
      });
    await ticketOf(page, high).waitFor();
    await pressKeys(page, '4');
    await until(async () => (await sides(fourth)).bottom >= 0, { what: 'the fourth ticket in view' });
    await pressKeys(page, 'ArrowDown');
    await ticketOf(page, high).and(page.locator('[aria-current]')).waitFor();
    for (let tries = 0; tries < 20 && (await sides(high)).bottom < 0; tries++) await pressKeys(page, 'ArrowDown');
    expect((await sides(high)).bottom).toBeGreaterThanOrEqual(0);
    await pressKeys(page, '1');
    await until(async () => (await sides(first)).top >= 0, { what: 'the first ticket in view' });
  });

  test('reach the buttons on the back of a short ticket', async () => {
    const order = newOrder({ items: ['Feijoada'] });
    const page = await showBoard([order]);
    await ticketOf(page, order).waitFor();
    await pressKeys(page, '1', 'm');
    const back = ticketOf(page, order).locator('.ticket-back');
    await back.waitFor();
    expect(await back.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBeLessThanOrEqual(1);
    for (const name of ['Remove Feijoada', `Print ticket ${order.ticket}`, `Cancel order ${order.ticket}`]) {
      expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(name);
      await pressKeys(page, 'ArrowDown');
    }
    await pressKeys(page, 'Escape');
    await isGone(back);
  });
});

describe('a double tap', () => {
  test('bumps once and does not confirm the allergies', async () => {
    const order = newOrder({ id: 1, table: '1', items: ['Feijoada'] });
    const answers = { ...readAnswers, updateOrder: changesOf(order, 'preparing', 'ready') };
    const page = await showBoard([order, allergic], answers);
    const bumpOf = ({ ticket }: Order) =>
      page.getByRole('button', { name: new RegExp(`^Bump, .*: ticket ${ticket}$`) });
    for (const each of [order, allergic]) await tapTwice(bumpOf(each));
    await ticketOf(page, allergic).getByText('Read it, bump again').waitFor();
    await bumpsAre('preparing');
    expect(await stand.calls('markAllergiesRead')).toEqual([]);
    await page.waitForTimeout(doubleTapMs);
    await bump(page, order);
    await bumpsAre('preparing', 'ready');
  });

  test('on "Cancel order" cancels nothing', async () => {
    const order = newOrder({ items: ['Feijoada'] });
    const page = await showBoard([order]);
    const ticket = ticketOf(page, order);
    await ticket.getByRole('button', { name: `More for ticket ${order.ticket}` }).click();
    await tapTwice(ticket.getByRole('button', { name: `Cancel order ${order.ticket}` }));
    await ticket.locator('.ticket-back').waitFor();
    await pressKeys(page, 'Escape', 'Escape');
    await press(page, 'Sold out');
    const sold = page.getByRole('switch').first();
    const name = await sold.getAttribute('aria-label');
    await tapTwice(sold);
    await page.getByRole('button', { name: 'Yes, sold out', disabled: false }).waitFor();
    await press(page, 'Cancel');
    expect(await sold.getAttribute('aria-label')).toBe(name);
    for (const call of ['updateOrder', 'setAvailability'] as const) expect(await stand.calls(call)).toEqual([]);
  });
});
