import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lastLines, run } from './servers/command.ts';

/** A certificate and its private key, in PEM. */
export type Certificate = { cert: string; key: string };

const days = 3650;
/** How many days server certificates are valid. Apple's systems reject certificates with a longer validity [HT211025]. */
const serverDays = 397;

/**
 * Creates a certificate authority. With `networks`, such as `10.0.0.0/255.0.0.0`, the authority can certify only addresses in
 * those networks, and no host names, even if its key is stolen. @throws if openssl is missing or fails
 */
export const makeAuthority = (name: string, networks: readonly string[] = []): Promise<Certificate> =>
  make({
    subject: name,
    days,
    extensions: [
      'basicConstraints=critical,CA:TRUE,pathlen:0',
      'keyUsage=critical,keyCertSign,cRLSign',
      ...(networks.length > 0 ? [`nameConstraints=critical,permitted;DNS:none.invalid,${permitted(networks)}`] : []),
    ],
  });
const permitted = (networks: readonly string[]): string => networks.map((each) => `permitted;IP:${each}`).join(',');

/** Creates a server certificate for these host names and IP addresses, signed by `authority`. @throws like `makeAuthority` */
export const makeServerCertificate = (hosts: readonly string[], authority: Certificate): Promise<Certificate> =>
  make({
    subject: 'Comanda server', // If the subject looks like a host name, OpenSSL treats it as an additional host.
    days: serverDays,
    extensions: [
      'basicConstraints=critical,CA:FALSE',
      'keyUsage=critical,digitalSignature',
      'extendedKeyUsage=serverAuth',
      `subjectAltName=${hosts.map((host) => `${isIP(host) ? 'IP' : 'DNS'}:${host}`).join(',')}`,
    ],
    authority,
  });

/** Creates a certificate with which a client proves who it is, signed by `authority`. @throws like `makeAuthority` */
export const makeClientCertificate = (name: string, authority: Certificate): Promise<Certificate> =>
  make({
    subject: name,
    days: serverDays,
    extensions: [
      'basicConstraints=critical,CA:FALSE',
      'keyUsage=critical,digitalSignature',
      'extendedKeyUsage=clientAuth',
    ],
    authority,
  });

type Wanted = { subject: string; days: number; extensions: readonly string[]; authority?: Certificate };

/** Creates a certificate with openssl, because Node can't. Every Linux and macOS has openssl. Removes the temporary files. */
async function make({ subject, days: validDays, extensions, authority }: Wanted): Promise<Certificate> {
  const folder = mkdtempSync(join(tmpdir(), 'comanda-certificate-'));
  const path = (name: string): string => join(folder, name);
  const openssl = async (...args: readonly string[]): Promise<void> => {
    const { code, output } = await run({ command: 'openssl', args, timeoutMs: 20_000 });
    if (code !== 0) throw new Error(`openssl ${args[0]} failed:\n${lastLines(output)}`);
  };
  try {
    const config = `[req]\nprompt=no\ndistinguished_name=name\n[name]\nCN=${subject}\n[wanted]\n${extensions.join('\n')}\n`;
    writeFileSync(path('config'), config);
    await openssl('ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', path('key'));
    await openssl('req', '-new', '-key', path('key'), '-config', path('config'), '-out', path('request'));
    if (authority) {
      writeFileSync(path('authority'), authority.cert);
      writeFileSync(path('authority-key'), authority.key, { mode: 0o600 });
    }
    const signedBy = authority
      ? ['-CA', path('authority'), '-CAkey', path('authority-key')]
      : ['-signkey', path('key')];
    const serial = `0x${randomBytes(15).toString('hex')}`;
    const options = ['-sha256', '-days', String(validDays), '-set_serial', serial, '-extfile', path('config')];
    const files = ['-in', path('request'), '-out', path('cert')];
    await openssl('x509', '-req', ...options, '-extensions', 'wanted', ...files, ...signedBy);
    return { cert: readFileSync(path('cert'), 'utf8'), key: readFileSync(path('key'), 'utf8') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
