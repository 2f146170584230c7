import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { checkScreens, isInView } from '@comanda/testing/page-checks';
import { deviceZone, dishNamed, menu, newDish, newOrder, restaurant } from '@comanda/testing/stand/data';
import { openStand, type Stand, type StandLook } from '@comanda/testing/stand/stand';
import { until } from '@comanda/testing/until';
import type { Page } from 'playwright-core';
import { longWord, looks, withoutAxe } from '../support/looks.ts';
import { bump } from '../support/board-page.ts';
import { press, says, tablet } from '../support/page.ts';
import { managing } from './manager-states.ts';
import { changesOf, onDuty, onShift } from './states.ts';

// The page that starts a shift, and the tools in the board's bars.

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('staff');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());

const longDish = newDish({ name: longWord, price: '99999.99' });
const showStart = async (look: StandLook, state = onDuty()): Promise<Page> => {
  const page = await stand.show(state, '#/board', look);
  await page.locator('button.shift-start').waitFor();
  return page;
};

test.each(['en', 'pt-BR'] as const)('the button that starts a shift is in view on a tablet (%s)', async (language) => {
  const page = await showStart({ viewport: { width: 1_024, height: 768 }, language });
  expect(await isInView(page.locator('button.shift-start'))).toBe(true);
});

test('the button that starts a shift is equally large on 4K and 1080p wall screens', async () => {
  const page = await showStart({ viewport: { width: 1_920, height: 1_080 } });
  const widthAt = async (width: number, height: number): Promise<number> => {
    await page.setViewportSize({ width, height });
    return (await page.locator('button.shift-start').boundingBox())?.width ?? 0;
  };
  const small = await widthAt(1_920, 1_080);
  expect((await widthAt(3_840, 2_160)) / small).toBeCloseTo(2, 1);
});

test("the start page and a station's form fit every screen", async () => {
  const state = managing({ dishes: [...menu, longDish], answers: { reportScreen: {} as never } });
  const page = await showStart({ ...looks['at-195'], language: 'pt-BR' }, state);
  await page.locator('.shift-check').nth(4).waitFor();
  const { check, found } = checkScreens(page, { looks, shoot: stand.shoot, name: 'shift', ...withoutAxe });
  await check('start');
  await press(page, 'Cozinha');
  await press(page, 'Toques e limites desta praça');
  await page.locator('.station-form-dish').first().waitFor();
  await check('station-form');
  expect(found).toEqual([]);
});

describe('the taps of a ticket', () => {
  const order = newOrder({ items: ['Feijoada'] });
  const answers = { updateOrder: changesOf(order, 'preparing', 'ready') };
  const bumpTo = (page: Page, next: string): Promise<void> =>
    press(page, `Bump, ${next}: ticket ${order.ticket}`).then(() => page.waitForTimeout(450));

  test('are two from the first shift on: a ready ticket leaves the board', async () => {
    const page = await showStart({}, onDuty({ orders: [order], answers }));
    await page.getByRole('button', { name: '2: started, ready', pressed: true }).waitFor();
    await press(page, /^Start shift/);
    await bumpTo(page, 'start all');
    await bumpTo(page, 'all ready');
    await page.locator('.board-empty').waitFor();
    expect((await stand.calls('updateOrder')).map(({ input }) => input['status'])).toEqual(['preparing', 'ready']);
  });

  test('are three if a shift selects that, also in later shifts', async () => {
    const page = await showStart({}, onDuty({ orders: [order], answers }));
    await press(page, '3: started, ready, handed over');
    await page.reload();
    await page.getByRole('button', { name: '3: started, ready, handed over', pressed: true }).waitFor();
    await press(page, /^Start shift/);
    await bumpTo(page, 'start all');
    await bumpTo(page, 'all ready');
    await page.getByRole('button', { name: `Bump, hand over: ticket ${order.ticket}` }).waitFor();
  });

  test('stay three in a shift that release 1.0.0 has started', async () => {
    const ready = newOrder({ items: [{ dish: dishNamed('Feijoada'), status: 'ready' }] });
    const page = await stand.show(onShift({ orders: [ready] }), '#/board', {});
    await page.getByRole('button', { name: `Bump, hand over: ticket ${ready.ticket}` }).waitFor();
  });

  test("aren't a choice where a manager has set them", async () => {
    const listStations = [{ station: 'kitchen', bumps: 1, amber_minutes: 5, late_minutes: 8, dishes: [] }];
    const page = await showStart({}, onDuty({ answers: { listStations } }));
    const taps = page.getByRole('group', { name: 'Taps per ticket' });
    await taps.waitFor();
    await press(page, 'Kitchen');
    await taps.waitFor({ state: 'detached' });
  });
});

test('a screen reports the name that staff have typed', async () => {
  const page = await showStart({});
  const name = page.getByLabel('This screen’s name, for managers');
  await name.fill('Balcão 2');
  await page.waitForTimeout(1_100); // The page's clock goes on, which must not undo what was typed.
  await name.press('Tab');
  const namesReported = async (): Promise<unknown[]> =>
    (await stand.calls('reportScreen')).map(({ input }) => input['screen']);
  await until(async () => /^Balcao-2-\w{4}$/.test(String((await namesReported()).at(-1))), { what: 'the new name' });
  await page.reload();
  await page.locator('button.shift-start').waitFor();
  expect(await name.inputValue()).toBe('Balcao 2');
});

test("the start page names the device's time zone if it differs", async () => {
  const device = await stand.page.context().newCDPSession(stand.page);
  const timeIn = (timeZone: string): string =>
    new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(new Date());
  await device.send('Emulation.setTimezoneOverride', { timezoneId: deviceZone });
  const page = await showStart({});
  await says(page, `This device is set to another time zone (${deviceZone})`);
  await press(page, /^Start shift/);
  const clock = (await page.locator('.board-clock').textContent()) ?? '';
  expect(clock.slice(0, 2)).toBe(timeIn(restaurant.time_zone).slice(0, 2));
  await device.send('Emulation.setTimezoneOverride', { timezoneId: restaurant.time_zone });
  const right = await showStart({});
  await says(right, 'The clock is right');
  expect(await right.getByText('another time zone').count()).toBe(0);
  await device.detach();
});

test('the board on a phone shows its tools and each word in full', async () => {
  const phones = { 'at-195': looks['at-195'], small: looks.small };
  const state = onShift({ answers: { listMenu: [...menu, longDish] } });
  const page = await stand.show(state, '#/board', { ...looks['at-195'], language: 'pt-BR' });
  const { check, found } = checkScreens(page, { looks: phones, shoot: stand.shoot, name: 'board', ...withoutAxe });
  await page.locator('.board-empty h2').waitFor();
  await check('empty');
  const order = newOrder({ table: '7', items: [{ dish: longDish, quantity: 99 }, 'Feijoada'] });
  await stand.emit('order.created', { order });
  await page.locator('.ticket').first().waitFor();
  const spoken = page.locator('.board > [role=status]');
  await spoken.getByText('1 pedido novo').waitFor({ state: 'attached' });
  const choose = async (language: string): Promise<void> => {
    await page.locator('.app-menu > .tool-icon').click();
    await press(page, language);
  };
  await choose('English');
  await page.getByRole('button', { name: 'All-day' }).waitFor();
  expect(await spoken.textContent()).toBe('');
  await choose('Português');
  for (const name of ['Totais', 'Esgotados']) {
    await press(page, name);
    await page.locator('.drawer :is(.all-day, .dishes)').waitFor();
    await check(name);
    await page.keyboard.press('Escape');
  }
  await stand.emit('ordering.changed', {
    paused_until: new Date(Date.now() + 600_000).toISOString(),
    reason: null,
    version: 2,
  });
  await says(page, /^Clientes não podem pedir até /);
  await check('paused');
  expect(found).toEqual([]);
});

test('a wall screen requests a new wake lock when it has lost one', async () => {
  const locked = `
    globalThis.locks = [];
    const request = () => (locks.push(new EventTarget()), Promise.resolve(locks.at(-1)));
    Object.defineProperty(navigator, 'wakeLock', { value: { request }, configurable: true });
  `;
  await stand.page.addInitScript(locked);
  const order = newOrder({ items: ['Feijoada'] });
  const answers = { updateOrder: changesOf(order, 'preparing') };
  const page = await stand.show(onDuty({ orders: [order], answers }), '#/board', tablet);
  const asked = (times: number): Promise<boolean> =>
    until(async () => (await page.evaluate('locks.length')) === times, { what: `wake lock request ${times}` });
  await press(page, 'Start shift');
  await asked(1);
  await page.reload();
  await page.locator('.board').waitFor();
  await asked(1);
  await page.evaluate(`locks[0].dispatchEvent(new Event('release'))`);
  await asked(2);
  // The first touch also turns the sound on again.
  await page.getByRole('button', { name: 'SOUND OFF, TAP' }).waitFor();
  await bump(page, order);
  await page.getByRole('button', { name: 'Sound', exact: true }).waitFor();
});
