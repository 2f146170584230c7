import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

/** The IP address of the client, and whether its connection uses TLS. */
export type Client = { address: string; secure: boolean };
export type ReadClient = (req: IncomingMessage) => Client;

const networksByName: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/**
 * Returns a function that says whether an address is of one of the `trusted` proxies, which are addresses, networks, and
 * the names loopback, linklocal and uniquelocal.
 */
export function createProxyCheck(trusted: readonly string[]): (address: string) => boolean {
  const proxies = new BlockList();
  for (const network of trusted.flatMap((entry) => networksByName[entry] ?? [entry])) {
    const [address = '', bits] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) proxies.addAddress(address, family);
    else proxies.addSubnet(address, Number(bits), family);
  }
  if (trusted.length === 0) return () => false;
  return (address) => proxies.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/**
 * Returns a function that reads the client of a request: the peer of the socket or, if that is one of the `trusted`
 * proxies, what it reports in X-Forwarded-For and X-Forwarded-Proto. Each of `hops` proxies appends one address, so the
 * client's is the one so many places from the right, whatever network it is of: what is left of it the client has written
 * itself. A request that came through fewer proxies has fewer addresses; the first one counts then.
 */
export function createClientReader(trusted: readonly string[], hops = 1): ReadClient {
  const isTrusted = createProxyCheck(trusted);

  return (req) => {
    const peer = peerAddress(req.socket);
    const encrypted = (req.socket as Partial<TLSSocket>).encrypted === true;
    if (!isTrusted(peer)) return { address: peer, secure: encrypted };
    const reported = (req.headersDistinct['x-forwarded-for'] ?? []).join(',').split(',');
    const address = plain((reported.at(-hops) ?? reported[0] ?? '').trim());
    const protocol = req.headersDistinct['x-forwarded-proto']?.at(-1);
    return {
      address: isIP(address) ? address : peer,
      secure: protocol === undefined ? encrypted : protocol === 'https',
    };
  };
}

/** The address of the other end of a connection; empty if the connection is closed. */
export const peerAddress = ({ remoteAddress = '' }: Pick<Socket, 'remoteAddress'>): string => plain(remoteAddress);

/** The IPv4 address in an IPv4-mapped IPv6 address; other addresses unchanged. */
const plain = (address: string): string => (/^::ffff:\d+\./i.test(address) ? address.slice(7) : address);

/**
 * The key by which clients are counted: an IPv4 address, or the /64 network of an IPv6 address, because whoever has one
 * IPv6 address usually has its whole /64 [RFC 6177].
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [plainAddress = ''] = address.split('%');
  const [head = [], tail = []] = plainAddress.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => '0');
  const groups = [...head, ...zeros, ...tail].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
