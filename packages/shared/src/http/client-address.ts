import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Logger } from '../runtime/logger.ts';

/** The client's IP address, and whether its connection uses TLS. */
export type Client = { address: string; secure: boolean };
export type ReadClient = (req: IncomingMessage) => Client;

const networksByName: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/**
 * Returns a function that checks whether an address is a trusted proxy. `trusted` contains addresses, networks, and the names
 * loopback, linklocal and uniquelocal.
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

type ReaderOptions = {
  trustedProxies: readonly string[];
  /** The number of proxies that every request passes through; by default 1. */
  proxyHops?: number;
  logger: Pick<Logger, 'warn'>;
};
/**
 * Returns a function that finds out a request's client. This is the socket's peer or, if the peer is one of the `trustedProxies`,
 * the client that the peer reports in X-Forwarded-For and X-Forwarded-Proto. Each of `proxyHops` proxies appends one address, so
 * the client's address is at that place from the right. Everything to its left was written by the client itself. If a request
 * came through fewer proxies, the first address is used. If that is not an address, the proxy's own address is used. The first
 * time, this is logged, because all clients of that proxy then share their rate limits.
 */
export function createClientReader({ trustedProxies, proxyHops = 1, logger }: ReaderOptions): ReadClient {
  const isTrusted = createProxyCheck(trustedProxies);
  let hasWarned = false;

  function warnOnce(proxy: string, reported: string): void {
    if (!hasWarned)
      logger.warn(
        { proxy, reported: reported.slice(0, 100) },
        'X-Forwarded-For of a trusted proxy has no address where the client’s should be: its clients share one limit',
      );
    hasWarned = true;
  }

  return (req) => {
    const peer = peerAddress(req.socket);
    const encrypted = (req.socket as Partial<TLSSocket>).encrypted === true;
    if (!isTrusted(peer)) return { address: peer, secure: encrypted };
    const { 'x-forwarded-for': addresses, 'x-forwarded-proto': schemes } = req.headersDistinct;
    const reported = addresses?.join(',').split(',');
    const address = reported && readAddress(reported.at(-proxyHops) ?? reported[0] ?? '');
    if (address === null) warnOnce(peer, reported?.join(',') ?? '');
    const scheme = schemes?.join(',').split(',').at(-1)?.trim().toLowerCase();
    return {
      address: address ?? peer,
      secure: scheme === undefined ? encrypted : scheme === 'https' || scheme === 'wss',
    };
  };
}

/** Parses a reported address; null if it isn't an address. Some proxies append the port, with an IPv6 address in brackets. */
function readAddress(reported: string): string | null {
  const text = reported.trim();
  const [, v6, v4] = /^\[(.*)\](?::\d+)?$|^([\d.]+):\d+$/.exec(text) ?? [];
  const address = plain(v6 ?? v4 ?? text);
  return isIP(address) ? address : null;
}

/** Returns the address of the other end of a connection; empty if the connection is closed. */
export const peerAddress = ({ remoteAddress = '' }: Pick<Socket, 'remoteAddress'>): string => plain(remoteAddress);

/** Converts an IPv4-mapped IPv6 address to IPv4; returns other addresses unchanged. */
const plain = (address: string): string => (/^::ffff:\d+\./i.test(address) ? address.slice(7) : address);

/**
 * Returns the key for counting clients in rate limits: an IPv4 address, or the /64 network of an IPv6 address. A client with one
 * IPv6 address usually controls the whole /64 [RFC 6177].
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [plainAddress = ''] = address.split('%');
  const [head = [], tail = []] = plainAddress.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => '0');
  const groups = [...head, ...zeros, ...tail].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
