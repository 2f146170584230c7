import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { rawCall } from '@comanda/testing/raw-socket';
import { startGatewayHarness, type GatewayHarness } from './support/harness.ts';

let gateway: GatewayHarness;
beforeAll(async () => {
  gateway = await startGatewayHarness();
});
beforeEach(() => {
  gateway.peer.arrived = [];
});
afterAll(() => gateway.close());

const host = 'Host: gateway\r\n';
const json = 'Content-Type: application/json\r\n';
const send = (bytes: string) => rawCall(gateway.url, bytes);
const problemResponse = (status: number, code: string) => ({
  status,
  end: 'complete',
  headers: expect.objectContaining({ 'content-type': 'application/problem+json' }),
  body: expect.stringContaining(`"code":"${code}"`),
});

describe('a request body', () => {
  test('is rejected in a HEAD request', async () => {
    const bytes = `HEAD /menu HTTP/1.1\r\n${host}Connection: close\r\nContent-Length: 2\r\n\r\n{}`;

    expect(await rawCall(gateway.url, bytes, { until: 'close' })).toMatchObject({ status: 400, body: '' });
    expect(gateway.peer.arrived).toEqual([]);
  });

  test.each([
    ['two lengths', 'Content-Length: 4\r\nContent-Length: 5\r\n\r\nhello'],
    ['a length before chunks', 'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n'],
    ['chunks before a length', 'Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n5\r\nhello\r\n0\r\n\r\n'],
    ['an unknown transfer coding', 'Transfer-Encoding: xchunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n'],
    ['a space after the header name', 'Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n'],
  ])('returns a 400 with %s', async (_what, rest) => {
    const response = await rawCall(gateway.url, `POST /auth/login HTTP/1.1\r\n${host}${json}${rest}`, {
      until: 'close',
    });

    expect(response).toMatchObject({ status: 400, end: 'complete', headers: { connection: 'close' } });
    expect(response.text.match(/^HTTP\/1\.1 \d/gm)).toHaveLength(1);
    expect(gateway.peer.arrived).toEqual([]);
  });
});

describe("the check of a body's type", () => {
  test.each([
    ['a missing type', ''],
    ['text', 'Content-Type: text/plain\r\n'],
    ['a form', 'Content-Type: application/x-www-form-urlencoded\r\n'],
    ['multipart data', 'Content-Type: multipart/form-data; boundary=x\r\n'],
    ['JSON in UTF-16', 'Content-Type: application/json; charset=utf-16\r\n'],
    ['JSON compressed with gzip', 'Content-Type: application/json\r\nContent-Encoding: gzip\r\n'],
  ])('returns a 415 for %s', async (_what, header) => {
    const response = await send(`POST /auth/login HTTP/1.1\r\n${host}${header}Content-Length: 2\r\n\r\n{}`);

    expect(response).toMatchObject(problemResponse(415, 'unsupported_media_type'));
    expect(gateway.peer.arrived).toEqual([]);
  });

  describe('at an endpoint without a body', () => {
    const head = () =>
      `POST /tables/T-1/close HTTP/1.1\r\n${host}Authorization: Bearer ${gateway.issuer.token({ sub: 5, role: 'manager' })}\r\n`;

    test("rejects any body that isn't JSON", async () => {
      const response = await send(`${head()}Content-Length: 2\r\n\r\nhi`);

      expect(response).toMatchObject(problemResponse(415, 'unsupported_media_type'));
    });

    test.each(['Content-Length: 0\r\n', ''])('accepts a request without a body (%j)', async (length) => {
      expect(await send(`${head()}${length}\r\n`)).toMatchObject({ status: 200 });
    });
  });
});

describe('a large request body', () => {
  test('gets a 413 if its length header exceeds 32 KB', async () => {
    const body = 'a'.repeat(3_000_000);
    const tooLarge = `POST /auth/login HTTP/1.1\r\n${host}${json}Content-Length: ${body.length}\r\n\r\n${body}`;
    const next = `GET /livez HTTP/1.1\r\n${host}Connection: close\r\n\r\n`;

    const { text } = await rawCall(gateway.url, tooLarge + next, { until: 'close' });

    expect(text).toMatch(/^HTTP\/1\.1 413 [\s\S]*"body_too_large"[\s\S]*HTTP\/1\.1 200 OK/);
    expect(gateway.peer.arrived).toEqual([]);
  });

  test('gets a 413 if its chunks exceed 32 KB', async () => {
    const chunk = (size: number): string => `${size.toString(16)}\r\n${'a'.repeat(size)}\r\n`;
    const tooLarge = `POST /auth/login HTTP/1.1\r\n${host}${json}Transfer-Encoding: chunked\r\n\r\n${chunk(1000)}${chunk(40_000)}0\r\n\r\n`;
    const next = `GET /livez HTTP/1.1\r\n${host}Connection: close\r\n\r\n`;

    const { text } = await rawCall(gateway.url, tooLarge + next, { until: 'close' });

    expect(text).toMatch(/^HTTP\/1\.1 413 [\s\S]*"body_too_large"[\s\S]*HTTP\/1\.1 200 OK/);
    expect(gateway.peer.arrived).toEqual([]);
  });

  test('can have 1 MB if it is a menu import', async () => {
    const head = `PUT /menu/import HTTP/1.1\r\n${host}${json}Authorization: Bearer ${gateway.issuer.token({ sub: 5, role: 'manager' })}\r\n`;
    const sized = (size: number): string => {
      const body = `{"dishes":"${'a'.repeat(size - 13)}"}`;
      return `${head}Content-Length: ${body.length}\r\n\r\n${body}`;
    };

    expect(await send(sized(1024 * 1024))).toMatchObject({ status: 200 });
    expect(gateway.peer.arrived).toHaveLength(1);
    expect(await send(sized(1024 * 1024 + 1))).toMatchObject(problemResponse(413, 'body_too_large'));
    expect(gateway.peer.arrived).toHaveLength(1);
  });
});
