import { X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { createProxyCheck } from '@comanda/shared/http/client-address';
import { makeAuthority, makeServerCertificate, type Certificate } from '@comanda/local-stack/certificates';
import { writeAtomically } from '@comanda/local-stack/write-atomically';

/** The files for HTTPS in the local network. */
export type LanCertificate = {
  /** The authority's certificate, which phones must install. */
  authorityFile: string;
  certFile: string;
  keyFile: string;
};
/** A certificate authority, and the addresses outside private networks that it can certify. */
type Authority = Certificate & { addresses: string[] };

const privateNetworks = ['127.0.0.0/255.0.0.0', '10.0.0.0/255.0.0.0', '172.16.0.0/255.240.0.0'];
const moreNetworks = ['192.168.0.0/255.255.0.0', '169.254.0.0/255.255.0.0'];
const isPrivate = createProxyCheck(['loopback', 'linklocal', 'uniquelocal']);
const renewBeforeMs = 30 * 86_400_000;

/** Returns the paths of the authority's files for npm start. */
export const lanFiles = (folder: string) => ({
  authorityFile: join(folder, 'comanda-authority.crt'),
  secretFile: join(folder, 'authority.json'),
  certFile: join(folder, 'server.crt'),
  keyFile: join(folder, 'server.key'),
});

/** Returns this machine's addresses in its networks. */
export const lanAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((each = []) =>
    each.filter(({ family, internal }) => family === 'IPv4' && !internal).map(({ address }) => address),
  );

/**
 * Provides a certificate for these addresses and 127.0.0.1. The authority and the certificate are stored in `folder` for the next
 * start. The certificate is renewed when the addresses change, and 30 days before it expires. The authority can certify only
 * addresses in private networks and these addresses, which limits what a phone has to trust.
 * @throws if openssl is missing or fails
 */
export async function provideLanCertificate(
  folder: string,
  { addresses, now }: { addresses: readonly string[]; now: Date },
): Promise<LanCertificate> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { secretFile, authorityFile, certFile, keyFile } = lanFiles(folder);
  const hosts = ['127.0.0.1', ...addresses];
  const kept = readAuthority(secretFile);
  const isKept = kept !== null && addresses.every((each) => isPrivate(each) || kept.addresses.includes(each));
  const authority = isKept ? kept : await newAuthority(addresses);
  if (!isKept) writeAtomically(secretFile, JSON.stringify(authority), 0o600);
  writeFileSync(authorityFile, authority.cert);
  if (!fits(certFile, { hosts, authority, now })) {
    const { cert, key } = await makeServerCertificate(hosts, authority);
    writeAtomically(keyFile, key, 0o600);
    writeAtomically(certFile, cert);
  }
  return { authorityFile, certFile, keyFile };
}

function readAuthority(file: string): Authority | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Authority;
  } catch {
    return null; // The file is missing or damaged.
  }
}

async function newAuthority(addresses: readonly string[]): Promise<Authority> {
  const others = addresses.filter((address) => !isPrivate(address));
  const networks = [...privateNetworks, ...moreNetworks, ...others.map((address) => `${address}/255.255.255.255`)];
  return { ...(await makeAuthority('Comanda in this network', networks)), addresses: others };
}

type Wanted = { hosts: readonly string[]; authority: Certificate; now: Date };

/**
 * Returns true if this authority issued the certificate in the file for these hosts, and it is valid for at least 30 more days.
 */
function fits(certFile: string, { hosts, authority, now }: Wanted): boolean {
  if (!existsSync(certFile)) return false;
  const certificate = new X509Certificate(readFileSync(certFile));
  return (
    certificate.verify(new X509Certificate(authority.cert).publicKey) &&
    certificate.subjectAltName === hosts.map((host) => `IP Address:${host}`).join(', ') &&
    Date.parse(certificate.validTo) - now.getTime() > renewBeforeMs
  );
}
