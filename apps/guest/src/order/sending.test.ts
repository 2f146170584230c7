import { CallFailure } from '@comanda/client/core';
import { until } from '@comanda/testing/until';
import { expect, test } from '@jest/globals';
import {
  device,
  dish,
  isEmpty,
  newServer,
  openDeviceForEach,
  openTab,
  stuckTab,
} from '../../test/support/sending-tab.ts';

openDeviceForEach();

test('a basket that another tab has sent is empty here too, and only new dishes are sent', async () => {
  const server = newServer();
  const first = openTab(server);
  first.add(1);
  const second = openTab(server);
  second.sending.send();
  await isEmpty(second);
  first.hear();
  first.add(2);
  first.sending.send();
  await isEmpty(first);

  expect(server.posts.map(({ lines }) => lines)).toEqual(['1', '2']);
});

test('an order that another tab is sending is shown here, and nothing replaces it', async () => {
  const server = newServer();
  const second = openTab(server);
  second.add(2);
  const { tab } = await stuckTab(server);
  second.sending.send();
  second.hear();

  expect(second.sending.outgoing.value?.key).toBe(tab.sending.outgoing.value?.key);
});

test.each([
  ['gluten', 'gluten, peanuts', 'gluten, peanuts'],
  ['gluten', 'peanuts', 'peanuts, gluten'],
  ['gluten', null, 'gluten'],
])(
  'when "%s" is on its way, "%s" is written and the order is stopped, then both stand: %s',
  async (sent, since, both) => {
    const server = newServer();
    server.isDown = true;
    const tab = openTab(server);
    tab.add(1);
    tab.basket.setAllergies(sent);
    tab.sending.send();
    if (since !== null) tab.basket.setAllergies(since);
    tab.sending.stop();

    expect(tab.basket.allergies.value).toBe(both);
  },
);

test('a total that differs from the one the guest saw is stored with the last order', async () => {
  const { add, sending } = openTab(newServer());
  add(1);
  sending.send();
  await until(() => sending.lastSent.value, { what: 'the answer' });

  expect(sending.lastSent.value).toEqual({ id: 900, changedTotal: '0.00' });
});

const soldOut = new CallFailure('sold out', {
  code: 'menu_item_unavailable',
  outcome: 'none',
  problem: { items: [{ item_id: 1, name: 'Dish 1' }] } as never,
});

test.each(['options_invalid', 'menu_item_unavailable', 'menu_item_unknown'] as const)(
  'the menu is loaded again after %s, because this phone may have an old one',
  async (code) => {
    const server = newServer();
    server.refusal = new CallFailure('an old menu', { code, outcome: 'none', problem: { items: [] } as never });
    const tab = openTab(server);
    tab.add(1);
    tab.sending.send();
    await isEmpty(tab);

    expect(server.menuReads).toBe(1);
  },
);

test('a rejected order is back in the basket, and shown with the reason after a reload', async () => {
  const server = newServer();
  server.refusal = soldOut;
  const tab = openTab(server);
  tab.add(1);
  tab.sending.send();
  await isEmpty(tab);
  tab.close();

  const reloaded = openTab(server);

  expect([reloaded.lines(), reloaded.ended()?.state]).toEqual([[1], 'refused']);
  expect(reloaded.ended()?.failure?.is('menu_item_unavailable')).toBe(true);
});

test.each(['stopped', 'rejected'] as const)(
  'nothing typed stays on the device after an order is %s and the basket emptied',
  async (how) => {
    const server = newServer();
    server.isDown = how === 'stopped';
    server.refusal = soldOut;
    const tab = openTab(server);
    tab.basket.add(dish(1), { quantity: 1, remarks: 'sem cebola' });
    tab.basket.setAllergies('amendoim');
    tab.sending.send();
    const sent = [...device.stored.values()].join();
    if (how === 'stopped') tab.sending.stop();
    await isEmpty(tab);
    const back = [...device.stored.values()].join();
    tab.basket.clear();
    const cleared = [...device.stored.values()].join();

    expect([sent, back, cleared].map((text) => [text.includes('amendoim'), text.includes('sem cebola')])).toEqual([
      [true, true],
      [true, true],
      [false, false],
    ]);
    expect(tab.ended()).toBeDefined();
  },
);

test('an order that two tabs show is sent only once', async () => {
  const server = newServer();
  const other = openTab(server);
  const tab = openTab(server);
  tab.add(1);
  other.hear();
  tab.sending.send();
  // The other tab doesn't know yet that the basket was sent.
  other.sending.send();
  other.hear();
  const shown = [tab, other].map(({ sending }) => sending.outgoing.value?.key);
  await isEmpty(tab);
  other.hear();

  expect(shown[0]).toBeDefined();
  expect(shown[1]).toBe(shown[0]);
  expect([server.posts.length, other.lines(), other.sending.outgoing.value]).toEqual([1, [], null]);
});

test('an order that release 1.0.0 has stored is sent with its key to its own table', async () => {
  const server = newServer();
  const order = { items: [{ item_id: 1, quantity: 2, remarks: 'sem sal' }], allergies: 'amendoim' };
  const lines = [{ id: 1, dishId: 1, name: 'Dish 1', quantity: 2, remarks: 'sem sal', seenPrice: '10.00' }];
  const left = { key: 'k-1', userId: 7, table: '4', lines, allergies: 'amendoim', order, sum: '20.00', at: Date.now() };
  device.stored.set('comanda.outgoing', JSON.stringify(left));

  const tab = openTab(server);
  const shown = tab.sending.outgoing.value;
  await isEmpty(tab);

  expect(shown).toMatchObject({
    key: 'k-1',
    state: 'late',
    attempts: 1,
    input: { typed: { lines, allergies: 'amendoim' } },
  });
  expect(server.posts).toEqual([{ key: 'k-1', lines: '1' }]);
  expect([...device.stored.keys()]).toEqual([]);
});
