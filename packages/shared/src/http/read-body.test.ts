import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Problem } from '@comanda/contracts/problem';
import { rawCall } from '@comanda/testing/raw-socket';
import { checkBodyHeaders, hasBody, readJsonBody } from './read-body.ts';

describe('a request with a body', () => {
  const check = (headers: Record<string, string>) => () => checkBodyHeaders({ headers } as unknown as IncomingMessage);

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=latin1',
    'application/json; version=1; Charset="utf-16"',
    'application/json; charset=utf-8; charset=utf-16',
    'application/json charset=utf-8',
    'application/jsonx',
    'application/problem+json',
    'application/merge-patch+json',
    '',
  ])("can't have the content type %j", (type) => {
    expect(check({ 'content-type': type })).toThrow(expect.objectContaining({ code: 'unsupported_media_type' }));
  });

  test("can't be compressed", () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    expect(check(headers)).toThrow(expect.objectContaining({ code: 'unsupported_media_type' }));
  });

  test.each([
    'application/json',
    'Application/JSON;charset=UTF-8',
    'application/json; charset="utf-8"',
    'application/json; charset=utf8',
    'application/json;version=1',
    'application/json;odata.metadata=minimal;IEEE754Compatible=true',
    'application/json; profile="a;charset=utf-16"; charset=UTF8',
    'application/json;',
    'application/json ; charset=utf-8 ;',
  ])('can have the content type %j', (type) => {
    expect(check({ 'content-type': type })).not.toThrow();
  });
});

describe('a JSON body', () => {
  let server: Server;
  let url: string;
  beforeAll(async () => {
    const answer = (req: IncomingMessage): Promise<string> =>
      hasBody(req)
        ? readJsonBody(req).then(
            () => 'accepted',
            (error: Problem) => error.code,
          )
        : Promise.resolve('no body');
    server = createServer((req, res) => void answer(req).then((text) => res.end(text)));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  const head = 'POST /things HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n';
  const sized = (body: string): string => `${head}Content-Length: ${body.length}\r\n\r\n${body}`;
  const chunked = (body: string): string =>
    `${head}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

  test.each([
    ['a length', sized],
    ['chunks', chunked],
  ])('larger than 32 KB is rejected if it has %s, and the connection stays open', async (_what, write) => {
    const next = 'GET /things/7 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

    const { text } = await rawCall(url, write(`"${'a'.repeat(40_000)}"`) + next, { until: 'close' });

    expect(text).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*body_too_large[\s\S]*HTTP\/1\.1 200 OK[\s\S]*no body/);
  });

  test('of 32 KB is accepted', async () => {
    const largest = `{"name":"a"${' '.repeat(32 * 1024 - 12)}}`;

    expect(await rawCall(url, sized(largest))).toMatchObject({ body: 'accepted' });
  });
});
