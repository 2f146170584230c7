import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** The IP address of the client, and whether its connection used TLS. */
export type Client = { address: string; secure: boolean };

const networksByName: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/**
 * Returns a function that reads the client of a request: the peer of the socket, or what `trusted` proxies report in
 * X-Forwarded-For and X-Forwarded-Proto. `trusted` contains addresses, networks, and the names loopback, linklocal and
 * uniquelocal.
 */
export function createClientReader(trusted: readonly string[]): (req: IncomingMessage) => Client {
  const proxies = new BlockList();
  for (const network of trusted.flatMap((entry) => networksByName[entry] ?? [entry])) {
    const [address = '', bits] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) proxies.addAddress(address, family);
    else proxies.addSubnet(address, Number(bits), family);
  }
  const isTrusted = (address: string): boolean => proxies.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

  return (req) => {
    let address = plain(req.socket.remoteAddress ?? '');
    if (trusted.length === 0 || !isTrusted(address)) return { address, secure: false };
    const hops = (req.headersDistinct['x-forwarded-for'] ?? []).join(',').split(',');
    while (isTrusted(address)) {
      const before = plain(hops.pop()?.trim() ?? '');
      if (!isIP(before)) break;
      address = before;
    }
    return { address, secure: req.headersDistinct['x-forwarded-proto']?.at(-1) === 'https' };
  };
}

/** The IPv4 address in an IPv4-mapped IPv6 address; other addresses unchanged. */
const plain = (address: string): string => (/^::ffff:\d+\./i.test(address) ? address.slice(7) : address);
