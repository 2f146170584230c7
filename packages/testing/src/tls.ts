import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import https from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { makeAuthority, makeServerCertificate, type Certificate } from '@comanda/local-stack/certificates';
import { testDataDir } from './environment.ts';

/** An authority of a test, and a certificate of it for this machine, in files. */
export type TestCertificates = {
  authority: Certificate;
  /** The authority's certificate. */
  caFile: string;
  certFile: string;
  keyFile: string;
  /** What a service is given to serve HTTPS. */
  settings: { TLS_CERT_FILE: string; TLS_KEY_FILE: string };
  /** Writes a pair into the files, by default a new one of the same authority. Returns its certificate. */
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

/** The answer to a GET over a TLS connection of its own. @throws if the certificate is not of the authority `ca` */
export async function getOverTls(
  url: string,
  { ca, headers = {} }: { ca: string; headers?: Record<string, string> },
): Promise<{ status: number; headers: Record<string, unknown>; body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  https.get(url, { ca, headers, agent: false }, resolve).on('error', reject);
  const response = await promise;
  return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) };
}
