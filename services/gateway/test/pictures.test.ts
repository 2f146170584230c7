import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Role } from '@comanda/contracts/endpoint';
import { until } from '@comanda/testing/until';
import { startGatewayHarness, type GatewayHarness } from './support/harness.ts';
import { echo } from './support/peer.ts';

let gateway: GatewayHarness;
beforeAll(async () => {
  gateway = await startGatewayHarness();
});
beforeEach(() => {
  gateway.peer.arrived = [];
  gateway.peer.response = echo;
});
afterAll(() => gateway.close());

const megabyte = 1024 * 1024;
const picture = `/menu-pictures/${'a'.repeat(64)}`;
const bearer = (role: Role, sub = 5) => ({ authorization: `Bearer ${gateway.issuer.token({ sub, role })}` });
type Upload = { bytes: Uint8Array<ArrayBuffer> | ReadableStream; type?: string; role?: Role | null; path?: string };
async function upload({ bytes, type = 'image/jpeg', role = 'manager', path = '/menu-pictures' }: Upload) {
  const headers = { 'content-type': type, ...(role && bearer(role)) };
  const sent = { method: 'POST', headers, body: bytes, duplex: 'half' };
  const response = await fetch(gateway.url + path, sent);
  const body = (await response.json()) as { code?: string; detail?: string };
  return { status: response.status, body };
}
const bytesOf = (size: number): Uint8Array<ArrayBuffer> => new Uint8Array(size).fill(0xa7);
const inChunks = (size: number): ReadableStream => {
  const chunks = [size - 1000, 500, 500].map(bytesOf);
  return new ReadableStream({
    pull: (controller) => {
      const next = chunks.shift();
      if (next) controller.enqueue(next);
      else controller.close();
    },
  });
};

describe('an upload to a service', () => {
  test.each([
    ['with a length', bytesOf],
    ['in chunks', inChunks],
  ])('arrives unchanged if a manager sends 10 MB %s', async (_what, make) => {
    const { status } = await upload({ bytes: make(10 * megabyte), type: 'image/avif' });

    expect(status).toBe(200);
    expect(gateway.peer.arrived).toMatchObject([
      { url: '/menu-pictures', headers: { 'content-type': ['image/avif'] } },
    ]);
    const body = gateway.peer.arrived[0]?.body ?? '';
    expect([body.length, body === '\xa7'.repeat(10 * megabyte)]).toEqual([10 * megabyte, true]);
  });

  test.each([
    ['with a length', bytesOf],
    ['in chunks', inChunks],
  ])('gets a 413 (too large) if it is one byte over the limit, sent %s', async (_what, make) => {
    const { status, body } = await upload({ bytes: make(10 * megabyte + 1) });

    expect([status, body.code, body.detail]).toEqual([
      413,
      'body_too_large',
      'The body is larger than the limit of 10 MB.',
    ]);
    expect(gateway.peer.arrived).toEqual([]);
  });

  test.each([
    [null, '401 authentication_required'],
    ['customer', '403 forbidden'],
    ['waiter', '403 forbidden'],
  ] as const)('by %s gets %s', async (role, code) => {
    const { status, body } = await upload({ bytes: bytesOf(megabyte), role });

    expect(`${status} ${body.code}`).toBe(code);
    expect(gateway.peer.arrived).toEqual([]);
  });

  test('gets a 415 if its type is not allowed', async () => {
    const page = await upload({ bytes: bytesOf(100), type: 'text/html' });
    const dish = await upload({ bytes: bytesOf(100), path: '/menu' });

    expect([page.status, dish.status]).toEqual([415, 415]);
    expect(page.body.detail).toContain('image/jpeg, image/png, image/webp or image/avif');
    expect(dish.body.detail).toContain('application/json');
  });

  test("can't exceed 32 KB if it is JSON", async () => {
    const { status, body } = await upload({ bytes: bytesOf(40_000), type: 'application/json', path: '/menu' });

    expect([status, body.detail]).toEqual([413, 'The body is larger than the limit of 32 KB.']);
  });
});

describe('many uploads at the same time', () => {
  /** Uploads that got a 503 before they were complete. */
  const turnedAway = new Set<ClientRequest>();
  /** Starts an upload from this manager. Never sends its last byte. */
  async function begin(sub: number): Promise<ClientRequest> {
    const headers = { ...bearer('manager', sub), 'content-type': 'image/jpeg', 'content-length': '1000' };
    const sending = request(`${gateway.url}/menu-pictures`, { method: 'POST', headers, agent: false });
    sending.on('error', () => undefined);
    sending.on('response', (response) => void (response.statusCode === 503 && turnedAway.add(sending)));
    sending.write(bytesOf(999));
    await once(sending, 'socket');
    return sending;
  }
  async function end(sending: ClientRequest): Promise<number> {
    const [response] = (await once(sending.end(bytesOf(1)), 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode ?? 0;
  }

  test('make the ninth upload wait', async () => {
    const sent = await Promise.all(Array.from({ length: 8 }, (_each, at) => begin(10 + at)));
    let ninth = { status: 0, retryAfter: '' as string | null };
    await until(
      async () => {
        const headers = { ...bearer('manager'), 'content-type': 'image/jpeg' };
        const response = await fetch(`${gateway.url}/menu-pictures`, { method: 'POST', headers, body: bytesOf(10) });
        await response.arrayBuffer();
        ninth = { status: response.status, retryAfter: response.headers.get('retry-after') };
        // The ninth upload may have taken the place of one that had not arrived yet.
        for (const [at, each] of sent.entries()) if (turnedAway.has(each)) sent[at] = await begin(10 + at);
        return ninth.status !== 200 && sent.every((each) => !turnedAway.has(each));
      },
      { what: 'the gateway to have all eight' },
    );

    expect(ninth).toEqual({ status: 503, retryAfter: '2' });
    expect(await Promise.all(sent.map(end))).toEqual(Array.from({ length: 8 }, () => 200));
    expect((await upload({ bytes: bytesOf(10) })).status).toBe(200);
  });

  test('are limited to two per manager', async () => {
    const sent = await Promise.all(Array.from({ length: 8 }, () => begin(10)));
    const refused: { status: number; code: string }[] = [];
    const onAnswer = async (response: IncomingMessage): Promise<void> => {
      const { code } = JSON.parse(await text(response)) as { code: string };
      refused.push({ status: response.statusCode ?? 0, code });
    };
    for (const sending of sent) sending.once('response', (response: IncomingMessage) => void onAnswer(response));
    await until(() => refused.length === 6, { what: 'six of them to be refused' });

    expect(refused).toEqual(Array.from({ length: 6 }, () => ({ status: 429, code: 'rate_limited' })));
    expect((await upload({ bytes: bytesOf(10) })).status).toBe(200);
    for (const sending of sent) sending.destroy();
    const again = async (): Promise<boolean> => {
      const headers = { ...bearer('manager', 10), 'content-type': 'image/jpeg' };
      const response = await fetch(`${gateway.url}/menu-pictures`, { method: 'POST', headers, body: bytesOf(10) });
      await response.arrayBuffer();
      return response.status === 200;
    };
    await until(again, { what: 'the places of connections that are closed to be free' });
  });
});

describe('a picture for a browser', () => {
  test('has headers that keep browsers from running it', async () => {
    gateway.peer.response = (_req, res) => {
      const headers = {
        'content-type': 'image/webp',
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': "default-src *; script-src 'unsafe-inline'",
      };
      res.writeHead(200, headers).end('<script>alert(1)</script>');
    };

    const { status, headers } = await fetch(gateway.url + picture);

    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/webp',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'public, max-age=31536000, immutable',
    });
  });

  test("isn't blocked by the rate limit, even on a menu with sixty pictures", async () => {
    const limited = await startGatewayHarness({ RATE_LIMIT_ADDRESS: '2', RATE_LIMIT_FILES: '65' });
    try {
      const get = async (path: string): Promise<number> => (await fetch(limited.url + path)).status;
      const inTurn = async (path: string, count: number): Promise<number[]> => {
        const statuses: number[] = [];
        for (let at = 0; at < count; at++) statuses.push(await get(path));
        return statuses;
      };

      expect(new Set(await inTurn(picture, 65))).toEqual(new Set([200]));
      expect(await inTurn('/menu', 3)).toEqual([200, 200, 429]);
      expect(await get(picture)).toBe(429);
    } finally {
      await limited.close();
    }
  });
});
