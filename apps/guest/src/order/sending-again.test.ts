import { expect, jest, test } from '@jest/globals';
import { signal } from '@preact/signals';
import { isEmpty, newServer, openDeviceForEach, openTab, orderOf, stuckTab } from '../../test/support/sending-tab.ts';

openDeviceForEach();

test('an earlier order of the same dishes is not mistaken for a stopped one, even after a reload', async () => {
  const server = newServer();
  server.orders.push(orderOf(3, 1));
  const { tab } = await stuckTab(server);
  tab.sending.stop();
  tab.close();
  const reloaded = openTab(server);
  const before = [tab.arrived(), reloaded.ended()?.state, reloaded.arrived()];
  reloaded.orders.value = [orderOf(4, 1), ...server.orders];

  expect(before).toEqual([undefined, 'held', undefined]);
  expect(reloaded.arrived()?.id).toBe(4);
});

test.each([
  ['is 16 minutes old', 16, { userId: 7, table: '4', seating: 40 }],
  ['was for another table', 1, { userId: 7, table: '9', seating: 90 }],
  ['was for a table that its customer has left', 1, { userId: 7 }],
] as const)(
  'an order without a response that %s is not sent and returns to the basket',
  async (_what, minutes, now) => {
    const { server, tab } = await stuckTab();
    tab.close();
    const later = Date.now() + minutes * 60_000;
    jest.spyOn(Date, 'now').mockReturnValue(later);
    Object.assign(server, { isDown: false, now });

    const reloaded = openTab(server);
    await isEmpty(reloaded);

    expect([server.posts, reloaded.lines(), reloaded.ended()?.input.isOld]).toEqual([[], [1], true]);
  },
);

test.each([
  ['moved to another table', { userId: 7, table: '9', seating: 40 }],
  ['joined with another table', { userId: 7, table: '4', seating: 90 }],
])('an order is sent to the current table of guests who were %s without a network', async (_what, now) => {
  const { server, tab } = await stuckTab();
  Object.assign(server, { isDown: false, now });

  await isEmpty(tab);

  expect([server.posts.length, tab.lines(), tab.seat.who.value]).toEqual([1, [], now]);
});

test('an earlier order waits while a scanned code is being checked', async () => {
  const { server, tab } = await stuckTab();
  tab.close();
  const isScanning = signal(true);
  server.isDown = false;
  const reloaded = openTab(server, isScanning);
  await new Promise(setImmediate);
  const sentEarly = server.posts.length;
  server.now = { userId: 7, table: '9', seating: 90 };
  reloaded.seat.table.value = '9';
  isScanning.value = false;
  await isEmpty(reloaded);

  expect([sentEarly, server.posts, reloaded.lines()]).toEqual([0, [], [1]]);
});

test.each([[true], [false]])(
  'an order that another tab has stopped is no longer sent (this tab was notified: %s)',
  async (hears) => {
    const { server, tab } = await stuckTab();
    const second = openTab(server);
    second.sending.stop();
    if (hears) tab.hear();
    server.isDown = false;
    await isEmpty(tab);
    tab.hear();

    expect([server.posts, tab.lines(), second.lines()]).toEqual([[], [1], [1]]);
  },
);

test('an unchanged basket is sent with the same key after "Stop", and a changed one with a new key', async () => {
  const { server, tab } = await stuckTab();
  const { key = '' } = tab.sending.outgoing.value ?? {};
  tab.sending.stop();
  server.isDown = false;
  tab.sending.send();
  await isEmpty(tab);
  const [again] = server.posts;

  const other = await stuckTab();
  const { key: stoppedKey } = other.tab.sending.outgoing.value ?? {};
  other.tab.sending.stop();
  other.tab.add(2);
  other.server.isDown = false;
  other.tab.sending.send();
  await isEmpty(other.tab);

  expect(again?.key).toBe(key);
  expect(other.server.posts.map(({ lines }) => lines)).toEqual(['1,2']);
  expect(other.server.posts[0]?.key).not.toBe(stoppedKey);
});
