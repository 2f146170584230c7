import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Problem } from '@comanda/contracts/problem';
import { rawCall } from '@comanda/testing/raw-socket';
import { refuseHostileHeaders, refuseMisplacedBody } from './hostile-headers.ts';

let server: Server;
let url: string;
beforeAll(async () => {
  server = createServer({ requireHostHeader: false }, (req, res) => {
    try {
      refuseHostileHeaders(req);
      refuseMisplacedBody(req);
      res.end('accepted');
    } catch (error) {
      res.end((error as Problem).code);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const answerTo = async (headers: string): Promise<string> =>
  (await rawCall(url, `GET /things/7 HTTP/1.1\r\n${headers}\r\n{}`)).body;

describe('a GET request', () => {
  test.each(['Host: a\r\n', 'Host: a:80\r\nConnection: keep-alive, TE\r\n', 'Host: [::1]\r\nContent-Length: 0\r\n'])(
    'is accepted with the headers %j',
    async (headers) => {
      expect(await answerTo(headers)).toBe('accepted');
    },
  );

  test.each([
    ['two Authorization headers', 'Authorization: Bearer a\r\nAuthorization: Bearer b\r\n'],
    ['two step-up tokens', 'X-Step-Up-Token: a\r\nX-Step-Up-Token: b\r\n'],
    ['two hosts', 'Host: b\r\n'],
    ['a body', 'Content-Length: 2\r\n'],
    ['a chunked body', 'Transfer-Encoding: chunked\r\n'],
    ['an unknown Connection token', 'Connection: keep-alive, X-Request-Id\r\n'],
  ])('is rejected as malformed with %s', async (_what, header) => {
    expect(await answerTo(`Host: a\r\n${header}`)).toBe('malformed_request');
  });

  test.each(['', 'Host: a b\r\n', 'Host: evil.example/x\r\n', 'Host:\r\n'])(
    'is rejected as malformed with the Host header %j',
    async (header) => {
      expect(await answerTo(header)).toBe('malformed_request');
    },
  );
});
