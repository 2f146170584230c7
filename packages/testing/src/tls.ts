import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import https from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createServer } from 'node:tls';
import { makeAuthority, makeServerCertificate, type Certificate } from '@comanda/local-stack/certificates';
import { testDataDir } from './environment.ts';

/** A test's certificate authority, and the files with the certificate that the authority issued for this machine. */
export type TestCertificates = {
  authority: Certificate;
  /** The path of the file with the authority's certificate. */
  caFile: string;
  certFile: string;
  keyFile: string;
  /** The settings for a service that serves HTTPS. */
  settings: { TLS_CERT_FILE: string; TLS_KEY_FILE: string };
  /**
   * Writes this certificate and its key to the files, and returns the certificate. By default, the authority issues a new pair.
   */
  replace: (pair?: Certificate) => Promise<string>;
};

export async function makeTestCertificates(): Promise<TestCertificates> {
  mkdirSync(testDataDir(), { recursive: true });
  const folder = mkdtempSync(join(testDataDir(), 'certificates-'));
  const [caFile, certFile, keyFile] = ['ca.pem', 'cert.pem', 'key.pem'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const authority = await makeAuthority('Comanda test');
  writeFileSync(caFile, authority.cert);
  const replace = async (pair?: Certificate): Promise<string> => {
    const { cert, key } = pair ?? (await makeServerCertificate(['localhost', '127.0.0.1'], authority));
    writeFileSync(certFile, cert);
    writeFileSync(keyFile, key);
    return cert;
  };
  await replace();
  const settings = { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile };
  return { authority, caFile, certFile, keyFile, settings, replace };
}

/**
 * Sends a GET over a new TLS connection and returns the response. @throws Error if the authority `ca` did not issue the server's
 * certificate
 */
export async function getOverTls(
  url: string,
  { ca, headers = {} }: { ca: string; headers?: Record<string, string> },
): Promise<{ status: number; headers: Record<string, unknown>; body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  https.get(url, { ca, headers, agent: false }, resolve).on('error', reject);
  const response = await promise;
  return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) };
}

export type TlsProxy = {
  /** Returns the URL of the target with this scheme, but with the proxy's address. */
  url: (scheme: string) => URL;
  /** Returns how many bytes the target has received from clients. */
  received: () => number;
  close: () => Promise<void>;
};

/** Starts a TLS proxy in front of a test server that has no TLS of its own. */
export async function startTlsProxy(target: string, { certFile, keyFile }: TestCertificates): Promise<TlsProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let received = 0;
  const track = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).once('close', () => sockets.delete(socket));
  };
  const certificate = { cert: readFileSync(certFile), key: readFileSync(keyFile) };
  const server = createServer(certificate, (client) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) track(socket);
    client.on('data', (bytes: Buffer) => void (received += bytes.length));
    client.pipe(upstream).pipe(client);
    client.once('close', () => upstream.destroy());
    upstream.once('close', () => client.destroy());
  });
  server.on('tlsClientError', (_error, socket) => void socket.destroy());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: ownPort } = server.address() as AddressInfo;
  return {
    url: (scheme) => new URL(target.replace(/^[^:]+:/, `${scheme}:`).replace(`:${port}`, `:${ownPort}`)),
    received: () => received,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
