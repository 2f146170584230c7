import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { rawCall, type RawAnswer } from '@comanda/testing/raw-socket';
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
const problemOf = ({ body }: RawAnswer) => JSON.parse(body) as Record<string, unknown>;
const countAnswers = ({ text }: RawAnswer) => text.match(/^HTTP\/1\.1 \d/gm)?.length;
const sendHandshake = ({ gateway }: FeedHarness) => rawCall(gateway.url, handshake(), { until: 'close' });
const untilNoFeeds = ({ countFeeds }: FeedHarness) =>
  until(async () => (await countFeeds()) === 0, { what: 'no feed to be counted' });

describe('a notifier that fails during the handshake', () => {
  test('when it is not available, then the answer is 503', async () => {
    const answer = await sendHandshake(await start({ NOTIFIER_URL: 'http://127.0.0.1:1' }));

    expect(answer).toMatchObject({ status: 503, end: 'complete', headers: { connection: 'close' } });
    expect(problemOf(answer)).toMatchObject({
      code: 'service_unavailable',
      request_id: answer.headers['x-request-id'],
    });
  });

  test('when it does not answer, then the answer is 504 after the time limit', async () => {
    const answer = await sendHandshake(await start({ UPSTREAM_TIMEOUT_MS: '400' }, neverAnswer));

    expect(answer).toMatchObject({ status: 504, end: 'complete' });
    expect(problemOf(answer)).toMatchObject({ code: 'gateway_timeout' });
    expect(countAnswers(answer)).toBe(1);
  });

  test.each([
    ['resets the connection', (socket: Socket) => void socket.resetAndDestroy()],
    ['closes the connection', (socket: Socket) => void socket.end()],
    ['does not speak HTTP', (socket: Socket) => void socket.end('hello\r\n\r\n')],
  ])('when it %s, then the answer is 502', async (_what, talk) => {
    const answer = await sendHandshake(await start({}, talk));

    expect(answer).toMatchObject({ status: 502, end: 'complete' });
    expect(problemOf(answer)).toMatchObject({ code: 'bad_gateway' });
    expect(countAnswers(answer)).toBe(1);
  });

  test('when it refuses, then the client gets its answer, without headers about its software', async () => {
    const refusal =
      'HTTP/1.1 400 Bad Request\r\nContent-Type: application/problem+json\r\nServer: secret\r\nContent-Length: 2\r\n\r\n{}';

    const answer = await sendHandshake(await start({}, (socket) => void socket.end(refusal)));

    expect(answer).toMatchObject({ status: 400, body: '{}', headers: { 'x-content-type-options': 'nosniff' } });
    expect(answer.text).not.toContain('secret');
  });

  test('when handshakes were refused, then none of them is counted as a feed', async () => {
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
  test.each(ways)('when the notifier %s its connection, then the client’s connection ends', async (_how, end) => {
    const feed = await start();
    const { socket } = await feed.open();
    socket.on('end', () => socket.end());
    const closed = once(socket, 'close');

    for (const { socket: notifierSocket } of feed.handshakes) end(notifierSocket);

    await closed;
    await untilNoFeeds(feed);
  });

  test.each(ways)('when the client %s its connection, then the notifier’s connection ends', async (_how, end) => {
    const feed = await start();
    const { socket } = await feed.open();
    const closed = once(feed.handshakes[0]?.socket ?? socket, 'close');

    end(socket);

    await closed;
    await untilNoFeeds(feed);
    expect(feed.gateway.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });
});

describe('a client that leaves before its handshake is answered', () => {
  const startSilent = async (timeoutMs: number): Promise<{ feed: FeedHarness; client: Socket; closed: unknown }> => {
    const feed = await start({ UPSTREAM_TIMEOUT_MS: String(timeoutMs) }, neverAnswer);
    const { socket } = await feed.connect();
    await until(() => feed.handshakes.length > 0, { what: 'the handshake to arrive' });
    return { feed, client: socket, closed: once(feed.handshakes[0]?.socket ?? socket, 'close') };
  };

  test('when it resets its connection, then the notifier’s connection ends at once, and that is no error', async () => {
    const { feed, client, closed } = await startSilent(60_000);

    client.resetAndDestroy();

    await closed;
    await untilNoFeeds(feed);
    expect(feed.gateway.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  // The gateway cannot see this before it writes to the socket.
  test.each(['destroys', 'ends'])(
    'when it %s its connection, then the notifier’s connection ends after the time limit, with one error',
    async (how) => {
      const { feed, client, closed } = await startSilent(400);

      leave[how]?.(client);

      await closed;
      await untilNoFeeds(feed);
      expect(feed.gateway.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
    },
  );
});
