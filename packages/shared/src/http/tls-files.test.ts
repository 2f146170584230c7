import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeAuthority, makeServerCertificate } from '@comanda/local-stack/certificates';
import { rawCall } from '@comanda/testing/raw-socket';
import { createTestLogger } from '@comanda/testing/test-logger';
import { getOverTls, makeTestCertificates, type TestCertificates } from '@comanda/testing/tls';
import { until } from '@comanda/testing/until';
import { ConfigError } from '../config/load-config.ts';
import { createClientReader } from './client-address.ts';
import { serve, tcpOf, type Listening } from './serve.ts';
import { openTlsFiles, type TlsFiles } from './tls-files.ts';

const lines: { level: string; msg: string }[] = [];
const logger = createTestLogger('tls', { level: 'info', onLine: (line) => lines.push(JSON.parse(line)) });
let files: TestCertificates;
let server: Listening;
const tcpSockets: Socket[] = [];
let linked = 0;
const open = (config = { tlsCertFile: files.certFile, tlsKeyFile: files.keyFile }): TlsFiles | null =>
  openTlsFiles(config, logger, 20);

beforeAll(async () => {
  files = await makeTestCertificates();
  const readClient = createClientReader({ trustedProxies: [], logger: { warn: () => undefined } });
  server = await serve(
    (req, res) => {
      if (tcpSockets.includes(tcpOf(req.socket))) linked++;
      res.end(JSON.stringify(readClient(req)));
    },
    { port: 0, host: '127.0.0.1', tls: open(), onConnection: (socket) => tcpSockets.push(socket) },
  );
});
afterAll(() => server.close());

/** Opens a new connection and returns the certificate that the server presents. */
async function servedCertificate(): Promise<string> {
  const socket = connect({ port: Number(new URL(server.url).port), host: '127.0.0.1', ca: files.authority.cert });
  await once(socket, 'secureConnect');
  const { raw } = socket.getPeerCertificate();
  socket.destroy();
  return new X509Certificate(raw).toString();
}

describe('an HTTPS server', () => {
  test('serves a client that trusts the authority, over a connection that counts as encrypted', async () => {
    const response = await getOverTls(server.url, { ca: files.authority.cert });

    expect(JSON.parse(response.body)).toEqual({ address: '127.0.0.1', secure: true });
  });

  test("isn't trusted by a client that trusts another authority", async () => {
    const { cert: ca } = await makeAuthority('another');

    await expect(getOverTls(server.url, { ca })).rejects.toThrow(/certificate/);
  });

  test.each([
    ['supports only TLS 1.1 and older', { maxVersion: 'TLSv1.1', minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' }],
  ] as const)('rejects a client that %s', async (_what, versions) => {
    const port = Number(new URL(server.url).port);
    const socket: TLSSocket = connect({ port, host: '127.0.0.1', ca: files.authority.cert, ...versions });
    const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException];

    expect(String(error.code)).toMatch(/PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|ECONNRESET/);
  });

  test('closes a plain HTTP connection without a response', async () => {
    const { text } = await rawCall(server.url, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n');

    expect(text).toBe('');
  });

  test('links each request to its TCP connection, which is destroyed afterwards', async () => {
    const before = linked;
    await getOverTls(server.url, { ca: files.authority.cert });

    expect(linked).toBe(before + 1);
    await until(() => tcpSockets.every(({ destroyed }) => destroyed), { what: 'the TCP connections to end' });
  });
});

describe('certificate files', () => {
  test('apply to new connections after a change', async () => {
    const before = await servedCertificate();
    const cert = await files.replace();

    await until(async () => (await servedCertificate()) !== before, { what: 'the new certificate' });
    expect(await servedCertificate()).toBe(new X509Certificate(cert).toString());
  });

  test("stay in use until a matching pair replaces them, while a pair that doesn't match is logged once", async () => {
    const before = await servedCertificate();
    const failures = () => lines.filter(({ level }) => level === 'error').length;
    const seen = failures();
    const [one, other] = await Promise.all([1, 2].map(() => makeServerCertificate(['127.0.0.1'], files.authority)));
    if (!one || !other) throw new Error('no certificates');
    await files.replace({ cert: one.cert, key: other.key });

    await until(() => failures() > seen, { what: 'the failure in the log' });
    expect(await servedCertificate()).toBe(before);

    await files.replace(one);
    await until(async () => (await servedCertificate()) !== before, { what: 'the good certificate' });
    expect(failures()).toBe(seen + 1);
    expect(JSON.stringify(lines)).not.toContain('PRIVATE KEY');
  });

  test.each([
    ['only one is set', () => ({ tlsCertFile: files.certFile, tlsKeyFile: '' })],
    ['one is missing', () => ({ tlsCertFile: files.certFile, tlsKeyFile: `${files.keyFile}.absent` })],
    ['they do not match', () => ({ tlsCertFile: files.certFile, tlsKeyFile: files.certFile })],
  ])('cause a settings error at startup if %s', (_what, config) => {
    expect(() => open(config())).toThrow(ConfigError);
  });

  test('are optional, and TLS is off without them', () => {
    expect(open({ tlsCertFile: '', tlsKeyFile: '' })).toBeNull();
  });
});
