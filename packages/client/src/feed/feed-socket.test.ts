import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { openFeedSocket } from './feed-socket.ts';

/** A connection to a notifier that sends only what the test tells it to send. */
type Connection = EventTarget & { address: string; sent: string[]; isClosed: boolean };
const { WebSocket: own } = globalThis;
let connection: Connection;
let page: EventTarget;
beforeEach(() => {
  jest.useFakeTimers();
  page = new EventTarget();
  const listening = {
    document: {},
    addEventListener: page.addEventListener.bind(page),
    removeEventListener: page.removeEventListener.bind(page),
  };
  Object.assign(globalThis, listening, {
    WebSocket: function connect(address: string) {
      const sent: string[] = [];
      connection = Object.assign(new EventTarget(), { address, sent, isClosed: false });
      return Object.assign(connection, {
        send: (text: string) => void sent.push(text),
        close: () => (connection.isClosed = true),
      });
    },
  });
});
afterEach(() => {
  globalThis.WebSocket = own;
  for (const name of ['document', 'addEventListener', 'removeEventListener']) Reflect.deleteProperty(globalThis, name);
  jest.useRealTimers();
});

/** Opens a connection and records what it reports. `hears` delivers a packet of the notifier. */
function open({ url = 'https://comanda.test/kitchen', after = null as string | null } = {}) {
  const reports: unknown[] = [];
  const note =
    (name: string) =>
    (...args: unknown[]): void =>
      void reports.push([name, ...args]);
  const socket = openFeedSocket({
    url,
    token: 'first',
    after,
    listeners: {
      onEvent: note('event'),
      onState: note('state'),
      onHeard: () => {},
      onDisconnect: note('disconnect'),
      onRefused: note('refused'),
      onUnreachable: note('unreachable'),
    },
  });
  const hears = (...packets: string[]): void => {
    for (const data of packets) connection.dispatchEvent(Object.assign(new Event('message'), { data }));
  };
  return { socket, reports, hears };
}
const greeting = '0{"sid":"a","upgrades":[],"pingInterval":10000,"pingTimeout":10000,"maxPayload":16384}';

test('a socket sends its token after the greeting, then delivers events and states', () => {
  const { socket, reports, hears } = open({ after: 'cursor 1' });
  hears(greeting);
  const before = socket.isConnected();
  hears('40{"sid":"b"}', '42["feed",{"status":"live"}]', '42["news",{}]', '42["event",{"id":"1"},"cursor 2"]');
  socket.renewToken('second');

  expect(connection.address).toBe('wss://comanda.test/socket.io/?EIO=4&transport=websocket');
  expect(connection.sent).toEqual(['40{"token":"first","after":"cursor 1"}', '42["token","second"]']);
  expect([before, socket.isConnected(), socket.token()]).toEqual([false, true, 'second']);
  expect(reports).toEqual([
    ['state', { status: 'live' }],
    ['event', { id: '1' }, 'cursor 2'],
  ]);
});

test('a socket whose notifier is silent for 20 s reports that, but not while pings arrive', () => {
  const { reports, hears } = open();
  hears(greeting);
  for (let pings = 0; pings < 3; pings++) {
    jest.advanceTimersByTime(19_000);
    hears('2');
  }
  const whilePinged = [...reports];
  jest.advanceTimersByTime(20_000);

  expect([whilePinged, reports, connection.isClosed]).toEqual([[], [['disconnect', 'silent']], true]);
  expect(connection.sent.slice(1)).toEqual(['3', '3', '3']);
});

test('a socket without a greeting reports after 10 s that the notifier is unreachable', () => {
  const { reports } = open();
  jest.advanceTimersByTime(10_000);
  const reported = [...reports];
  connection.dispatchEvent(new Event('close'));

  expect([reported, reports, connection.isClosed]).toEqual([[['unreachable']], [['unreachable']], true]);
});

test.each([
  ['the page loses its network', () => page.dispatchEvent(new Event('offline')), ['disconnect', 'closed']],
  ['the connection is closed', () => connection.dispatchEvent(new Event('close')), ['disconnect', 'closed']],
  ['the connection breaks', () => connection.dispatchEvent(new Event('error')), ['disconnect', 'closed']],
  ['the notifier ends the session', '41', ['disconnect', 'closed']],
  [
    'the notifier rejects the token',
    '44{"message":"no","data":{"code":"invalid_token"}}',
    ['refused', 'invalid_token'],
  ],
  ['something else rejects it', '44{"message":"no"}', ['unreachable']],
])('a socket reports once that %s', (_what, happens, report) => {
  const { reports, hears } = open();
  hears(greeting);
  for (let times = 0; times < 2; times++)
    if (typeof happens === 'string') hears(happens);
    else happens();
  hears('42["feed",{"status":"live"}]');

  expect([reports, connection.isClosed]).toEqual([[report], true]);
});

test('a socket that the client has closed reports nothing', () => {
  const { socket, reports, hears } = open({ url: 'http://localhost:3000' });
  hears(greeting);
  socket.close();
  connection.dispatchEvent(new Event('close'));
  jest.advanceTimersByTime(60_000);

  expect([reports, connection.isClosed, connection.address.slice(0, 22)]).toEqual([[], true, 'ws://localhost:3000/so']);
});
