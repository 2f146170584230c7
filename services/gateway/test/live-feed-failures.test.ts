import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { rawCall, type RawResponse } from '@comanda/testing/raw-socket';
import { until } from '@comanda/testing/until';
import { handshake, startFeedHarness, type FeedHarness } from './support/live-feed-harness.ts';

const opened: FeedHarness[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ close }) => close()));
});
async function start(settings: Record<string, string> = {}, talk?: (socket: Socket) => void): Promise<FeedHarness> {
  const feed = await startFeedHarness(settings, talk);
  opened.push(feed);
  return feed;
}

const neverAnswer = (): void => undefined;
const problemOf = ({ body }: RawResponse) => JSON.parse(body) as Record<string, unknown>;
const countResponses = ({ text }: RawResponse) => text.match(/^HTTP\/1\.1 \d/gm)?.length;
const sendHandshake = ({ gateway }: FeedHarness) => rawCall(gateway.url, handshake(), { until: 'close' });
const untilNoFeeds = ({ countFeeds }: FeedHarness) =>
  until(async () => (await countFeeds()) === 0, { what: 'no feed to be counted' });

describe('a notifier that fails during the handshake', () => {
  test("causes a 503 if it isn't available", async () => {
    const response = await sendHandshake(await start({ NOTIFIER_URL: 'http://127.0.0.1:1' }));

    expect(response).toMatchObject({ status: 503, end: 'complete', headers: { connection: 'close' } });
    expect(problemOf(response)).toMatchObject({
      code: 'service_unavailable',
      request_id: response.headers['x-request-id'],
    });
  });

  test("causes a 504 if it doesn't respond in time", async () => {
    const response = await sendHandshake(await start({ UPSTREAM_TIMEOUT_MS: '400' }, neverAnswer));

    expect(response).toMatchObject({ status: 504, end: 'complete' });
    expect(problemOf(response)).toMatchObject({ code: 'gateway_timeout' });
    expect(countResponses(response)).toBe(1);
  });

  test.each([
    ['resets the connection', (socket: Socket) => void socket.resetAndDestroy()],
    ['closes the connection', (socket: Socket) => void socket.end()],
    ['does not speak HTTP', (socket: Socket) => void socket.end('hello\r\n\r\n')],
  ])('causes a 502 if it %s', async (_what, talk) => {
    const response = await sendHandshake(await start({}, talk));

    expect(response).toMatchObject({ status: 502, end: 'complete' });
    expect(problemOf(response)).toMatchObject({ code: 'bad_gateway' });
    expect(countResponses(response)).toBe(1);
  });

  test('has its rejection passed on to the client', async () => {
    const refusal =
      'HTTP/1.1 400 Bad Request\r\nContent-Type: application/problem+json\r\nServer: secret\r\nContent-Length: 2\r\n\r\n{}';

    const response = await sendHandshake(await start({}, (socket) => void socket.end(refusal)));

    expect(response).toMatchObject({ status: 400, body: '{}', headers: { 'x-content-type-options': 'nosniff' } });
    expect(response.text).not.toContain('secret');
  });

  test('adds no feed when it rejects a handshake', async () => {
    const refusal = 'HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno';
    const feed = await start({}, (socket) => void socket.end(refusal));

    for (let index = 0; index < 5; index++) await sendHandshake(feed);

    await untilNoFeeds(feed);
  });
});

const leave: Record<string, (socket: Socket) => void> = {
  resets: (socket) => void socket.resetAndDestroy(),
  destroys: (socket) => void socket.destroy(),
  ends: (socket) => void socket.end(),
};
const ways = Object.entries(leave);

describe('an open feed', () => {
  test.each(ways)('ends for the client if the notifier %s its connection', async (_how, end) => {
    const feed = await start();
    const { socket } = await feed.open();
    socket.on('end', () => socket.end());
    const closed = once(socket, 'close');

    for (const { socket: notifierSocket } of feed.handshakes) end(notifierSocket);

    await closed;
    await untilNoFeeds(feed);
  });

  test.each(ways)('ends for the notifier if the client %s its connection', async (_how, end) => {
    const feed = await start();
    const { socket } = await feed.open();
    const closed = once(feed.handshakes[0]?.socket ?? socket, 'close');

    end(socket);

    await closed;
    await untilNoFeeds(feed);
    expect(feed.gateway.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });
});

describe("the notifier's connection for a handshake", () => {
  const startSilent = async (timeoutMs: number): Promise<{ feed: FeedHarness; client: Socket; closed: unknown }> => {
    const feed = await start({ UPSTREAM_TIMEOUT_MS: String(timeoutMs) }, neverAnswer);
    const { socket } = await feed.connect();
    await until(() => feed.handshakes.length > 0, { what: 'the handshake to arrive' });
    return { feed, client: socket, closed: once(feed.handshakes[0]?.socket ?? socket, 'close') };
  };

  test('ends immediately if the client resets its own connection', async () => {
    const { feed, client, closed } = await startSilent(60_000);

    client.resetAndDestroy();

    await closed;
    await untilNoFeeds(feed);
    expect(feed.gateway.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  // The gateway notices that the client has left only when it writes to the socket.
  test.each(['destroys', 'ends'])('ends after the time limit if the client %s its own connection', async (how) => {
    const { feed, client, closed } = await startSilent(400);

    leave[how]?.(client);

    await closed;
    await untilNoFeeds(feed);
    expect(feed.gateway.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
  });
});
