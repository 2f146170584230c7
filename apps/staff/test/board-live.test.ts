import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { budget } from '@comanda/testing/budget';
import { expectErrors, setOffline } from '@comanda/testing/browser';
import { until } from '@comanda/testing/until';
import {
  ageIn,
  bump,
  isGone,
  isLive,
  isNotLive,
  itemsAre,
  keptBumpsOf,
  statusIs,
  ticketOf,
} from './support/board-page.ts';
import { startStaffApp, type StaffApp } from './support/staff-app.ts';
import { press, says } from './support/page.ts';

let app: StaffApp;
beforeAll(async () => {
  app = await startStaffApp('kitchen-live', {}, budget([], ['notifier']));
}, 300_000);
afterEach(async () => {
  app?.freezeBroker(false);
  await app?.clear();
});
afterAll(() => app?.close());

describe('a board that loses its connection', () => {
  test('sends the bumps made during a network failure once it is back online', async () => {
    const { page } = await app.startShift();
    const order = await app.place('1', ['Feijoada', 'Pudim de leite']);
    const other = await app.place('2', ['Feijoada']);
    await ticketOf(page, other).waitFor();
    await setOffline(page, true);
    await isNotLive(page);
    await page.getByText('Your bumps are saved and will be sent.').waitFor();
    await press(ticketOf(page, order), '1 Feijoada, waiting');
    await ticketOf(page, order).getByText('Not sent yet').waitFor();
    await bump(page, other);
    await page.getByText('2 bumps not sent').waitFor();
    await app.shoot(page, 'not-live');
    expect((await app.order(order.id)).status).toBe('received');
    await press(ticketOf(page, other), `Undo ticket ${other.ticket}`);
    await page.getByText('1 bump not sent').waitFor();
    await setOffline(page, false);
    await isLive(page);
    await itemsAre(app, order, ['preparing', 'received']);
    expect((await app.order(other.id)).status).toBe('received');
    const history = (await app.manager('GET', `/orders/${order.id}/history`)).body as { item_id?: number }[];
    expect(history.filter(({ item_id: item }) => item !== undefined)).toHaveLength(1);
  });
  test('shows remarks and allergies on a ticket that was bumped offline', async () => {
    const { page } = await app.startThreeTapShift();
    const order = await app.place('1', [{ name: 'Feijoada', remarks: 'sem cebola' }, 'Pudim de leite'], 'peanuts');
    const ticket = ticketOf(page, order);
    await ticket.waitFor();
    await setOffline(page, true);
    await isNotLive(page);
    await ticket.getByRole('button', { name: /Tap when read/ }).click();
    for (const status of ['preparing', 'ready']) {
      await bump(page, order);
      await ticket.getByRole('button', { name: `1 Feijoada, ${status}` }).waitFor();
      await ticket.getByText('Not sent yet').waitFor();
      expect(await ticket.getByText('sem cebola').isVisible()).toBe(true);
      expect(await ticket.getByText('peanuts').isVisible()).toBe(true);
    }
    await app.shoot(page, 'kept-ready');
    await bump(page, order);
    await isGone(ticket.getByText('peanuts'));
    await page.getByText('3 bumps not sent').waitFor();
    expect((await app.order(order.id)).status).toBe('received');
    await setOffline(page, false);
    await statusIs(app, order, 'delivered');
    await until(async () => (await keptBumpsOf(page)) === 0, { what: 'the kept bumps' });
    expect(await page.getByRole('alert').count()).toBe(0); // No bump was rejected, so there is no error message.
  });
  test('continues the shift after a reload', async () => {
    const { page, context } = await app.startShift();
    const order = await app.place('3', ['Feijoada']);
    await ticketOf(page, order).waitFor();
    expectErrors(page, /net::ERR_CONNECTION_RESET .*\/orders\/\d+$/);
    let isCut = true;
    await context.route('**/orders/**', (route) =>
      isCut && route.request().method() === 'PUT' ? route.abort('connectionreset') : route.fallback(),
    );
    await bump(page, order);
    await until(async () => (await keptBumpsOf(page)) === 1, { what: 'the stored bump' });
    await page.reload();
    await page.locator('.board').waitFor();
    isCut = false;
    await statusIs(app, order, 'preparing');
  });
  test('reports that the broker hangs but still shows new orders', async () => {
    const { page } = await app.startShift();
    await isLive(page);
    app.freezeBroker(true);
    await isNotLive(page);
    const order = await app.place('7', ['Feijoada']);
    await ticketOf(page, order).waitFor({ timeout: 30_000 });
    app.freezeBroker(false);
    await isLive(page);
    const next = await app.place('8', ['Feijoada']);
    await ticketOf(page, next).waitFor({ timeout: 20_000 });
  });
});

test('a board that cannot load the orders warns that some may be missing', async () => {
  const old = await app.place('1', ['Feijoada']);
  const { page, context } = await app.open();
  expectErrors(page, /net::ERR_FAILED .*\/orders\?|status of 503/);
  const isList = (url: URL): boolean => url.pathname === '/orders';
  let answer: 'abort' | 503 = 'abort';
  await context.route(isList, (route) => (answer === 503 ? route.fulfill({ status: 503 }) : route.abort()));
  await page.reload();
  await page.locator('button.shift-start').click();
  const state = page.getByRole('status', { name: 'Live feed' });
  // The time is missing if the board was live before the reload: it then says from when its stored tickets are.
  const isMissing = (): Promise<void> => state.getByText(/^ORDERS MAY BE MISSING(?: since \d\d:\d\d:\d\d)?$/).waitFor();
  await isMissing();
  // The page shows one warning, and not the drawing of an empty board, because orders may be missing.
  expect([await page.locator('.board-empty').count(), await page.getByText('Loading orders…').count()]).toEqual([0, 0]);

  const next = await app.place('2', ['Feijoada']);

  await ticketOf(page, next).waitFor();
  await isMissing();
  answer = 503;
  await bump(page, next); // Bumps are sent even while the list can't be loaded.
  await statusIs(app, next, 'preparing');
  expect(await page.locator('.board-counts').count()).toBe(0);
  await app.shoot(page, 'orders-missing');
  await isMissing();
  await context.unroute(isList);
  await isLive(page);
  await ticketOf(page, old).waitFor();
  await page.locator('.board-counts').getByText('2').waitFor();
});

describe('the clock on a tablet', () => {
  test("does not affect the tickets' ages when it is 40 minutes wrong", async () => {
    const { page, context } = await app.open();
    const order = await app.place('8', ['Feijoada']);
    await context.addInitScript(() => {
      const now = Date.now.bind(Date);
      Date.now = () => now() + 40 * 60_000;
    });
    await page.reload();
    await page.getByText('This device’s clock is wrong').waitFor();
    await press(page, 'Start shift');
    const ticket = ticketOf(page, order);
    await ticket.waitFor();
    expect(await ageIn(ticket)).toMatch(/^[0-2]:\d\d$/);
    expect(await ticket.getByText('LATE').count()).toBe(0);
  });
});

describe('a board with sounds', () => {
  test('shows immediately that the browser has stopped its sounds', async () => {
    const { page, context } = await app.open();
    await context.addInitScript(() => {
      globalThis.AudioContext = class extends AudioContext {
        constructor() {
          super();
          Object.assign(globalThis, { audio: this });
        }
      };
    });
    await page.reload();
    await press(page, 'Start shift');
    await isLive(page);
    const isOn = page.getByRole('button', { name: 'Sound', exact: true });
    const isBlocked = page.getByRole('button', { name: 'SOUND OFF, TAP' });
    await isOn.waitFor();
    const stop = (how: 'suspend' | 'close'): Promise<void> =>
      page.evaluate((name) => (globalThis as unknown as { audio: AudioContext }).audio[name](), how);
    for (const [how, bringBack] of [
      ['suspend', () => page.locator('.board-main').click({ position: { x: 5, y: 5 } })],
      ['suspend', () => page.keyboard.press('F9')],
      ['suspend', () => isBlocked.click()],
      ['suspend', () => isBlocked.press('Space')],
      // The page can't resume a closed audio context, so it must create a new one.
      ['close', () => page.keyboard.press('F9')],
    ] as const) {
      await stop(how);
      await isBlocked.waitFor();
      await bringBack();
      await isOn.waitFor();
    }
  });

  test('repeats the sound for a new order until someone touches the screen', async () => {
    const { page, context } = await app.open();
    await context.addInitScript(() => {
      const played: number[] = [];
      Object.assign(globalThis, { played });
      // oxlint-disable-next-line typescript/unbound-method -- called with its context below
      const create = AudioContext.prototype.createOscillator;
      AudioContext.prototype.createOscillator = function createRecorded() {
        const oscillator = create.call(this);
        const start = oscillator.start.bind(oscillator);
        oscillator.start = (when) => {
          played.push(oscillator.frequency.value);
          start(when);
        };
        return oscillator;
      };
    });
    await page.reload();
    await press(page, '3: started, ready, handed over'); // With two taps, a ready ticket leaves without a bell.
    await press(page, 'Start shift');
    await isLive(page);
    await says(page, 'No open orders.'); // Orders in the first list aren't new, so they cause no sound.
    const countOf = (hz: number): Promise<number> =>
      page.evaluate(
        (wanted) => (globalThis as unknown as { played: number[] }).played.filter((each) => each === wanted).length,
        hz,
      );
    const before = await countOf(660);
    expect(before).toBe(1); // When the shift starts, every sound is played once.
    const order = await app.place('10', ['Feijoada']);
    await ticketOf(page, order).waitFor();
    await until(async () => (await countOf(660)) >= before + 2, { what: 'the sound again', timeoutMs: 25_000 });
    await app.setOrder(order.id, 'preparing');
    await app.setOrder(order.id, 'ready');
    await until(async () => (await countOf(1_320)) === 2, { what: 'the bell' });
    await page.locator('.board-clock').click();
    const touched = await countOf(660);
    const changed = await countOf(740);
    await app.setOrder(order.id, 'cancelled');
    await until(async () => (await countOf(740)) === changed + 3, { what: 'three short tones' });
    expect(await countOf(660)).toBe(touched);
  });
});
