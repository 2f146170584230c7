import { mkdirSync, statfsSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { isFree } from '@comanda/local-stack/servers/free-port';
import { refusal } from '@comanda/local-stack/servers/refusal';
import { commandLineOf, type StartOptions } from './arguments.ts';

const neededMb = 1_000;

/**
 * Checks for problems that would later fail with a less helpful message.
 * @throws Refusal if the system is not supported, the disk is (nearly) full or a port is in use
 */
export async function checkBeforeStart(start: StartOptions, comandaDir: string): Promise<void> {
  if (process.platform === 'win32')
    throw refusal('npm start runs on Linux and macOS. On Windows use WSL, or containers: docker compose up --build');
  mkdirSync(comandaDir, { recursive: true });
  const { bavail, bsize } = statfsSync(comandaDir);
  refuseFullDisk({ freeBytes: bavail * bsize, folder: comandaDir });
  await refuseUsedPorts(start);
}

export function refuseFullDisk({ freeBytes, folder }: { freeBytes: number; folder: string }): void {
  const freeMb = Math.floor(freeBytes / 1e6);
  if (freeMb < neededMb)
    throw refusal(
      `Only ${freeMb} MB are free on the disk of ${folder}, but MongoDB and RabbitMQ need ${neededMb} MB. Free some space and try again.`,
    );
}

/** Rejects all used ports with a single message, which suggests a command line that works. */
async function refuseUsedPorts(start: StartOptions): Promise<void> {
  const { gatewayPort, notifierPort, lan } = start;
  const problems = [
    ...(await problemOf({ port: gatewayPort, service: 'the gateway', lan })),
    ...(await problemOf({ port: notifierPort, service: 'the notifier', lan })),
  ];
  if (problems.length === 0) return;
  const GATEWAY_PORT = await usablePort(gatewayPort, { lan, other: notifierPort });
  const NOTIFIER_PORT = await usablePort(notifierPort, { lan, other: GATEWAY_PORT });
  throw refusal(
    `${problems.join('\n')}\nStop what uses them, or choose other ports:\n  ${commandLineOf(start, { GATEWAY_PORT, NOTIFIER_PORT })}`,
  );
}

/** Returns a sentence for a port that is in use or needs root; empty if the port is free. */
async function problemOf(options: { port: number; service: string; lan: boolean }): Promise<string[]> {
  const { port, service, lan } = options;
  const state = await stateOf(port, lan);
  if (state === 'used') return [`Port ${port} (${service}) is in use by another program.`];
  return state === 'forbidden' ? [`Only root may listen on port ${port} (${service}).`] : [];
}

/** Returns the port itself if it is free; otherwise the next free one, in steps of 100. */
async function usablePort(port: number, { lan, other }: { lan: boolean; other: number }): Promise<number> {
  for (let candidate = port; candidate <= 65_535; candidate += 100)
    if (candidate !== other && (await stateOf(candidate, lan)) === 'free') return candidate;
  return usablePort(1_024 + (port % 100), { lan, other });
}

async function stateOf(port: number, lan: boolean): Promise<'free' | 'used' | 'forbidden'> {
  // A browser tries localhost's IPv6 address first. If another program listened there, the browser would reach that program.
  const hosts = [lan ? '0.0.0.0' : '127.0.0.1', ...(hasIpv6Loopback() ? ['::1'] : [])];
  try {
    const free = await Promise.all(hosts.map((host) => isFree(port, host)));
    return free.includes(false) ? 'used' : 'free';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error;
    return 'forbidden';
  }
}

const hasIpv6Loopback = (): boolean =>
  Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ address }) => address === '::1'));

/** Returns this machine's address in the local network, for `--lan`. */
export function lanAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const outside = addresses.find(({ family, internal }) => family === 'IPv4' && !internal);
  if (!outside) throw refusal('--lan needs a network, but this machine has no network address.');
  return outside.address;
}
