import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:https';
import { getOverTls } from '@comanda/testing/tls';
import { makeServerCertificate, type Certificate } from '@comanda/local-stack/certificates';
import { lanFiles, provideLanCertificate, type LanCertificate } from './lan-certificate.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lan-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const now = new Date();
const provide = (addresses = ['192.168.0.5'], at = now) => provideLanCertificate(folder, { addresses, now: at });
const contents = ({ authorityFile, certFile }: LanCertificate): string[] =>
  [authorityFile, certFile].map((file) => readFileSync(file, 'utf8'));

/** Returns true if a client that trusts the authority accepts a server with this certificate on 127.0.0.1. */
async function isTrusted({ cert, key }: Certificate): Promise<boolean> {
  const server = createServer({ cert, key }, (_req, res) => res.end('ok')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const ca = readFileSync(lanFiles(folder).authorityFile, 'utf8');
    return (await getOverTls(url, { ca }).catch(() => null))?.body === 'ok';
  } finally {
    server.close();
  }
}

describe('the certificate for npm start -- --lan', () => {
  test('is accepted by a client that trusts its authority', async () => {
    const { certFile, keyFile } = await provide();

    expect(await isTrusted({ cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') })).toBe(true);
    for (const file of [keyFile, lanFiles(folder).secretFile]) expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('stays the same at the next start', async () => {
    expect(contents(await provide())).toEqual(contents(await provide()));
  });

  test('is renewed by the same authority if the address changes or it expires soon', async () => {
    const [authority, cert] = contents(await provide());
    const moved = contents(await provide(['192.168.0.7']));
    const later = contents(await provide(['192.168.0.7'], new Date(now.getTime() + 380 * 86_400_000)));

    expect([moved[0], later[0]]).toEqual([authority, authority]);
    expect(new Set([cert, moved[1], later[1]]).size).toBe(3);
  });

  test('has an authority that also covers public addresses of this machine', async () => {
    const [before] = contents(await provide());
    const [authority] = contents(await provide(['203.0.113.9']));

    expect(authority).not.toBe(before);
    expect(contents(await provide(['203.0.113.9', '10.0.0.2']))[0]).toBe(authority);
  });

  test("has an authority that can't certify names", async () => {
    await provide();
    const authority = JSON.parse(readFileSync(lanFiles(folder).secretFile, 'utf8')) as Certificate;

    expect(await isTrusted(await makeServerCertificate(['127.0.0.1'], authority))).toBe(true);
    expect(await isTrusted(await makeServerCertificate(['127.0.0.1', 'bank.example'], authority))).toBe(false);
    expect(await isTrusted(await makeServerCertificate(['127.0.0.1', '198.51.100.1'], authority))).toBe(false);
  });

  test('is created again if a file is damaged', async () => {
    await provide();
    writeFileSync(lanFiles(folder).secretFile, '{');

    const { certFile, keyFile } = await provide();

    expect(await isTrusted({ cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') })).toBe(true);
  });
});
