import { mkdirSync, statfsSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { isFree } from '../servers/free-port.ts';
import { refusal } from '../servers/refusal.ts';
import type { StartOptions } from './arguments.ts';

const neededMb = 1_000;

/**
 * Checks what would fail later with a less helpful message.
 * @throws Refusal if the system is not supported, the disk is (nearly) full or a port is in use
 */
export async function checkBeforeStart(start: StartOptions, comandaDir: string): Promise<void> {
  if (process.platform === 'win32')
    throw refusal('npm start runs on Linux and macOS. On Windows use WSL, or containers: docker compose up --build');
  mkdirSync(comandaDir, { recursive: true });
  const { bavail, bsize } = statfsSync(comandaDir);
  refuseFullDisk({ freeBytes: bavail * bsize, folder: comandaDir });
  await refuseUsedPort({ port: start.gatewayPort, service: 'the gateway', variable: 'GATEWAY_PORT', lan: start.lan });
  await refuseUsedPort({
    port: start.notifierPort,
    service: 'the notifier',
    variable: 'NOTIFIER_PORT',
    lan: start.lan,
  });
}

export function refuseFullDisk({ freeBytes, folder }: { freeBytes: number; folder: string }): void {
  const freeMb = Math.floor(freeBytes / 1e6);
  if (freeMb < neededMb)
    throw refusal(
      `Only ${freeMb} MB are free on the disk of ${folder}, but MongoDB and RabbitMQ need ${neededMb} MB. Free some space and try again.`,
    );
}

async function refuseUsedPort(options: {
  port: number;
  service: string;
  variable: string;
  lan: boolean;
}): Promise<void> {
  const { port, service, variable, lan } = options;
  // A browser tries localhost's IPv6 address first and would reach another program that listens there.
  const hosts = [lan ? '0.0.0.0' : '127.0.0.1', ...(hasIpv6Loopback() ? ['::1'] : [])];
  const free = await Promise.all(hosts.map((host) => isFree(port, host))).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EACCES') throw error;
    throw refusal(
      `Only root may listen on port ${port}. Choose a port above 1023: ${variable}=${port + 8000} npm start`,
    );
  });
  if (free.includes(false))
    throw refusal(
      `Port ${port} (${service}) is in use by another program. Stop that program, or choose another port: ${variable}=${port + 100} npm start`,
    );
}

const hasIpv6Loopback = (): boolean =>
  Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ address }) => address === '::1'));

/** This machine's address in its network, for `--lan`. */
export function lanAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const outside = addresses.find(({ family, internal }) => family === 'IPv4' && !internal);
  if (!outside) throw refusal('--lan needs a network, but this machine has no network address.');
  return outside.address;
}
