/// <reference lib="dom" />
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { dishNamed, menu, minutesAgo, newDish, newOrder, nextOrder } from '@comanda/testing/stand/data';
import { openStand, type Stand } from '@comanda/testing/stand/stand';
import { never, unreachable, type State } from '@comanda/testing/stand/state';
import { until } from '@comanda/testing/until';
import type { Page } from 'playwright-core';
import { bump, isGone, more, signIn, signOut, ticketOf } from '../support/board-page.ts';
import { press, tablet } from '../support/page.ts';
import { changesOf, manager, onDuty, onShift, waiter, withAllergiesRead } from './states.ts';

// A ticket's content, the requests that its buttons send, and the settings of a station.

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('staff');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());

type Order = ReturnType<typeof newOrder>;
const showBoard = (orders: readonly Order[], answers: State['answers'] = {}, look: object = tablet): Promise<Page> =>
  stand.show(onShift({ orders, answers }), '#/board', look);
/** Waits until the page has made exactly these calls with this name, in this order. */
const callsAre = (name: Parameters<Stand['calls']>[0], ...inputs: object[]): Promise<void> =>
  until(async () => (await stand.calls(name)).length === inputs.length, {
    what: `${inputs.length} calls of ${name}`,
  }).then(async () => expect((await stand.calls(name)).map(({ input }) => input)).toMatchObject(inputs));

describe('a ticket', () => {
  test('shows what was done and what Bump does next', async () => {
    const order = newOrder({ items: ['Feijoada', 'Pudim de leite'] });
    const done = nextOrder(nextOrder(order, ['preparing']), ['ready']);
    const page = await showBoard([order], {
      updateOrderItem: changesOf(order, ['preparing'], ['ready'], ['preparing']),
      getOrder: { turns: [done, nextOrder(done, ['preparing'])] },
      updateOrder: nextOrder(nextOrder(done, 'ready'), 'ready'),
    });
    const ticket = ticketOf(page, order);
    const nextIs = (next: string): Promise<void> =>
      ticket.getByRole('button', { name: `Bump, ${next}: ticket ${order.ticket}`, exact: true }).waitFor();
    await ticket.getByRole('button', { name: /^1 Feijoada, / }).waitFor();
    await nextIs('start all');
    await press(ticket, /^1 Feijoada, /);
    await page.getByText('Feijoada started', { exact: true }).waitFor();
    await nextIs('all ready (1 not started)');
    await press(ticket, /^1 Feijoada, /);
    await page.getByText('Feijoada ready', { exact: true }).waitFor();
    await press(page, 'Undo');
    await isGone(page.locator('.board-last'));
    await bump(page, order);
    await page.getByText(`Ticket ${order.ticket} ready`, { exact: true }).waitFor();
    await nextIs('hand over');
  });

  test('shows the name of the guest who ordered', async () => {
    const order = { ...newOrder({ items: ['Feijoada'] }), placed_by: { id: 7, name: 'Marina' } };
    const page = await showBoard([order]);
    await ticketOf(page, order).getByText('Marina', { exact: true }).waitFor();
  });

  test('shows HTML as plain text', async () => {
    const remarks = '<img src=x onerror="document.title=1"><b>no salt</b>';
    const order = newOrder({ items: [{ dish: dishNamed('Feijoada'), remarks }], allergies: '<i>peanuts</i>' });
    const page = await showBoard([order]);
    await ticketOf(page, order).getByText(remarks).waitFor();
    await ticketOf(page, order).getByText('<i>peanuts</i>').waitFor();
    expect(await page.locator('.ticket mark *, .ticket-allergies i').count()).toBe(0);
    await press(page, 'All-day');
    await page.getByRole('complementary').getByText(remarks).waitFor();
    expect(await page.title()).not.toBe('1');
  });

  test("highlights other people's changes until the highlight is tapped", async () => {
    const order = newOrder({ table: '6', items: ['Feijoada', 'Pudim de leite'], allergies: 'nuts' });
    const read = withAllergiesRead(order);
    const answers = { markAllergiesRead: read, getOrder: read, getOrderHistory: [] };
    const page = await showBoard([order], answers);
    const ticket = ticketOf(page, order);
    await ticket.getByRole('button', { name: /Tap when read/ }).click();
    await ticket.getByText(/^Read at \d\d:\d\d$/).waitFor();
    const actor = { id: manager.userId, role: 'manager' } as const;
    const changed = nextOrder(read, ['received', 'cancelled']);
    const pudding = { item_id: changed.items[1]?.id ?? 0, from: 'received', to: 'cancelled', actor } as const;
    await stand.emit('order.item_status_changed', { order: changed, ...pudding });
    const moved = { ...changed, table: '16', version: 4 };
    await stand.emit('order.table_changed', { order: moved, from: '6', to: '16', from_seating: null, actor });
    const atNew = ticketOf(page, moved);
    await atNew.getByRole('button', { name: 'CHANGED Moved from table 6; 1 dish removed' }).click();
    await isGone(atNew.getByText('CHANGED'));
    const cancelled = nextOrder(moved, 'cancelled');
    const status = { from: 'received', to: 'cancelled', actor, reason: 'guests left' } as const;
    await stand.emit('order.status_changed', { order: cancelled, ...status });
    await atNew.getByText('CANCELLED').waitFor();
    await atNew.getByText(/guests left$/).waitFor();
    await atNew.getByRole('button', { name: `Clear ticket ${order.ticket}` }).click();
    await isGone(atNew);
  });

  test('asks before it removes a dish or cancels the order', async () => {
    const order = newOrder({ items: ['Feijoada', 'Pudim de leite'] });
    const page = await showBoard([order], {
      updateOrderItem: changesOf(order, ['received', 'cancelled']),
      updateOrder: nextOrder(nextOrder(order, 'cancelled'), 'cancelled'),
      getOrderHistory: [],
    });
    const ticket = ticketOf(page, order);
    await more(page, order);
    await press(ticket, 'Remove Pudim de leite');
    await ticket.getByRole('button', { name: 'Yes, remove', disabled: false }).waitFor();
    await press(ticket, 'No');
    await press(ticket, 'Remove Pudim de leite');
    await press(ticket, 'Yes, remove');
    await callsAre('updateOrderItem', { item_id: order.items[1]?.id, status: 'cancelled' });
    await press(ticket, `Cancel order ${order.ticket}`);
    await press(ticket, 'Yes, cancel');
    await callsAre('updateOrder', { id: order.id, status: 'cancelled' });
  });

  test('marks its second printout as a reprint', async () => {
    const items = [{ dish: dishNamed('Feijoada'), quantity: 3, remarks: 'no salt' }, 'Pudim de leite'] as const;
    const order = newOrder({ table: '8', items, allergies: 'nuts' });
    const page = await showBoard([order]);
    await page.evaluate(() => {
      const prints: string[] = [];
      Object.assign(globalThis, { prints });
      window.print = () => {
        prints.push(document.querySelector<HTMLElement>('.printout')?.textContent ?? '');
        dispatchEvent(new Event('afterprint'));
      };
    });
    await more(page, order);
    const prints = (): Promise<string[]> => page.evaluate(() => (globalThis as unknown as { prints: string[] }).prints);
    for (const count of [1, 2]) {
      await press(page, `Print ticket ${order.ticket}`);
      await until(async () => (await prints()).length === count, { what: `print ${count}` });
    }
    const [first, second] = await prints();
    for (const text of ['T8', 'Feijoada', 'no salt', 'nuts', `#${order.ticket}`]) expect(first).toContain(text);
    expect([first?.includes('REPRINT'), second?.includes('REPRINT')]).toEqual([false, true]);

    // A part of a printed dish has moved to another table, and a part of that to a third. Neither must be cooked twice.
    const [dish] = order.items;
    if (!dish) throw new Error('the order has no dishes');
    const actor = { id: manager.userId, role: 'manager' } as const;
    const move = async (id: number, table: string, [quantity, from, fromOrder]: [number, number, number]) => {
      const part = { ...dish, id: id + 1, quantity, split_from: from };
      const moved = { ...order, id, version: 2, table, items: [part], split_from: fromOrder };
      await stand.emit('order.table_changed', { order: moved, from: '8', to: table, from_seating: null, actor });
      return moved;
    };
    const once = await move(9_000, '16', [2, dish.id, order.id]);
    const twice = await move(9_100, '17', [1, 9_001, once.id]);
    for (const [index, moved] of [twice, once].entries()) {
      await more(page, moved);
      const print = ticketOf(page, moved).getByRole('button', { name: /^Print ticket/ });
      await print.click();
      await until(async () => (await prints()).length === index + 3, { what: `print ${index + 3}` });
      expect((await prints())[index + 2]).toContain('REPRINT');
    }
  });

  test.each([
    { width: 1_180, height: 820 },
    { width: 1_920, height: 1_080 },
  ])('shows its whole header on a screen $width px wide for the longest table name', async (viewport) => {
    const items = ['Feijoada', 'Pudim de leite'].map((name) => ({ dish: dishNamed(name), status: 'ready' as const }));
    const order = newOrder({ table: 'VARANDA-NORTE-12', items });
    const page = await showBoard([order], {}, { viewport });
    const head = ticketOf(page, order).locator('.ticket-head');
    await head.getByText('READY').waitFor();
    const cut = await head.evaluate((element) => {
      const edge = element.getBoundingClientRect();
      return [element, ...element.querySelectorAll('.ticket-table, .ticket-state, .ticket-age, .ticket-who')]
        .filter((each) => {
          const { right, bottom, top } = each.getBoundingClientRect();
          const isOut = right > edge.right || bottom > edge.bottom + 1 || top < edge.top - 1;
          return isOut || each.scrollWidth > each.clientWidth + 1;
        })
        .map(({ className }) => className);
    });
    expect(cut).toEqual([]);
  });
});

describe('Sold out', () => {
  const quindim = newDish({ name: 'Quindim', portions_left: 5 });
  const showDish = async (dish = quindim, answers: State['answers'] = {}) => {
    const page = await showBoard([], { listMenu: [...menu, dish], ...answers });
    await press(page, 'Sold out');
    return { page, row: page.getByRole('listitem').filter({ hasText: dish.name }) };
  };

  test('sends only the switch when it is tapped, because the screen may not know the latest orders', async () => {
    const setAvailability = { ...quindim, available: false, portions_left: 3, version: 3 };
    const { page, row } = await showDish(quindim, { setAvailability });
    await row.getByRole('switch').click();
    await press(page, 'Yes, sold out');
    await row.getByText('3 left').waitFor();
    const [call] = await stand.calls('setAvailability');
    expect(call?.input).toEqual({ id: quindim.id, available: false });
  });

  test('sends only the portions when they are typed, because the dish may be sold out by now', async () => {
    const setAvailability = { ...quindim, available: false, portions_left: 7, version: 3 };
    const { row } = await showDish(quindim, { setAvailability });
    await row.getByLabel('Quindim: Portions').fill('7');
    await row.getByLabel('Quindim: Portions').press('Enter');
    await row.getByText('7 left').waitFor();
    const [call] = await stand.calls('setAvailability');
    expect(call?.input).toEqual({ id: quindim.id, portions_left: 7 });
  });

  test('shows a dish without portions as sold out', async () => {
    const setAvailability = { ...quindim, available: true, portions_left: null, version: 2 };
    const { row } = await showDish({ ...quindim, portions_left: 0 }, { setAvailability });
    expect(await row.getByRole('switch').getAttribute('aria-checked')).toBe('false');
    await row.getByRole('switch').click();
    await row.getByRole('switch', { name: 'Quindim: Available' }).waitFor();
    const [call] = await stand.calls('setAvailability');
    expect(call?.input).toEqual({ id: quindim.id, available: true, portions_left: null });
  });

  test('does not overwrite the portions while the user types them', async () => {
    const setAvailability = { ...quindim, portions_left: 12, version: 2 };
    const { page, row } = await showDish(quindim, { setAvailability });
    const input = row.getByLabel('Quindim: Portions');
    await input.press('ControlOrMeta+a');
    await input.pressSequentially('1');
    const item = { ...dishNamed('Feijoada'), portions_left: 49, deleted: false, version: 2 };
    await stand.emit('menu.item_changed', { item });
    await page.getByText('49 left').waitFor();
    await input.pressSequentially('2');
    await input.press('Enter');
    await page.getByText('12 left').waitFor();
  });
});

describe('a station', () => {
  const station = { station: 'kitchen', bumps: 2, amber_minutes: 6, late_minutes: 9, dishes: [] };
  const openForm = async (answers: State['answers'], name: string) => {
    const page = await stand.show(onDuty({ who: manager, answers }), '#/board', tablet);
    await press(page, name);
    await press(page, 'Taps and limits of this station');
    return { page, form: page.getByRole('form', { name: `${name}, on all screens` }) };
  };

  test('has no Save button until its settings are loaded', async () => {
    const { form } = await openForm({ listStations: never, setStation: station }, 'Kitchen');
    await form.getByRole('button', { name: 'Cancel' }).waitFor();
    expect(await form.getByRole('button', { name: 'Save' }).count()).toBe(0);
    await stand.answer({ listStations: [station] });
    await form.getByRole('button', { name: '2: started, ready', pressed: true }).waitFor();
    await press(form, 'Save');
    await isGone(form);
    expect(await stand.calls('setStation')).toMatchObject([{ input: station }]);
  });

  test('is the same station for all spellings of its name', async () => {
    const dishes = [
      newDish({ id: 91, name: 'Batida de coco', station: 'Balcão' }),
      newDish({ id: 92, name: 'Batida de caju', station: 'balca\u0303o' }),
    ] as const;
    const saved = { station: 'Balcão', bumps: 2, amber_minutes: 5, late_minutes: 8, dishes: [] };
    const listMenu = [...menu, ...dishes];
    const { page, form } = await openForm({ listMenu, setStation: saved }, 'Balcão');
    await press(form, '2: started, ready');
    await press(form, 'Save');
    await isGone(form);
    expect(await stand.calls('setStation')).toMatchObject([{ input: saved }]);

    const order = newOrder({ items: dishes.map((dish) => ({ dish })) });
    const answers = { listMenu, listStations: [saved] };
    const device = { 'comanda.kitchen.station': 'BALCA\u0303O' }; // An earlier release stored the name with a combining tilde.
    await stand.show(onDuty({ orders: [order], answers, device }), '#/board', tablet);
    await page.getByRole('button', { name: 'Balcão', pressed: true }).waitFor();
    await press(page, 'Start shift');
    await ticketOf(page, order)
      .getByRole('button', { name: /^1 Batida de caju, / })
      .waitFor();
    expect(await ticketOf(page, order).getByRole('listitem').count()).toBe(2);
  });

  test('marks a ticket as late by its own limits', async () => {
    const created_at = minutesAgo(2.5);
    const drink = newOrder({ id: 1, items: ['Chope claro 300 ml'], created_at });
    const food = newOrder({ id: 2, items: ['Feijoada'], created_at });
    const listStations = [{ station: 'bar', bumps: 3, amber_minutes: 1, late_minutes: 2, dishes: [] }];
    const page = await showBoard([drink, food], { listStations });
    await ticketOf(page, drink).getByText('LATE').waitFor();
    expect(await ticketOf(page, drink).locator('.ticket-age-line svg').count()).toBe(1);
    expect(await ticketOf(page, food).getByText('LATE').count()).toBe(0);
  });
});

test('unsent bumps wait until their user signs in again', async () => {
  const order = newOrder({ items: ['Feijoada'] });
  const signInAnswers = { login: { access_token: '' } as never, me: { must_change_password: false } as never };
  const page = await showBoard([order], { updateOrder: unreachable, ...signInAnswers });
  const signInAs = async (who: typeof waiter): Promise<void> => {
    await page.evaluate((next) => (globalThis.standState.signsIn = next), who);
    await signIn(page, { email: 'staff@comanda.test', password: 'mesa-farofa-violao' });
    await press(page, 'Start shift');
    await ticketOf(page, order).waitFor();
  };
  await bump(page, order);
  await signOut(page);
  await page.getByText(/^1 bump hasn’t been sent/).waitFor();
  await press(page, 'Sign out anyway');
  await stand.answer({ updateOrder: nextOrder(order, 'preparing') });
  const before = (await stand.calls('updateOrder')).length;
  await signInAs(manager);
  await page.getByText('NEW', { exact: true }).waitFor();
  expect(await stand.calls('updateOrder')).toHaveLength(before);
  await signOut(page);
  await signInAs(waiter);
  await until(async () => (await stand.calls('updateOrder')).length > before, { what: 'the bump to be sent' });
});
