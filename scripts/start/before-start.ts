import { mkdirSync, statfsSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { isFree } from '../servers/free-port.ts';
import { refusal } from '../servers/refusal.ts';
import type { StartOptions } from './arguments.ts';

const neededMb = 1_000;

/**
 * What would fail later, with a worse message.
 * @throws Refusal if the system is not one that is supported, the disk is (nearly) full or a port is in use
 */
export async function checkBeforeStart(start: StartOptions, comandaDir: string): Promise<void> {
  if (process.platform === 'win32')
    throw refusal('npm start runs on Linux and macOS. On Windows use WSL, or containers: docker compose up --build');
  mkdirSync(comandaDir, { recursive: true });
  const { bavail, bsize } = statfsSync(comandaDir);
  refuseFullDisk({ freeBytes: bavail * bsize, folder: comandaDir });
  await refuseUsedPort({ port: start.gatewayPort, what: 'the gateway', variable: 'GATEWAY_PORT', lan: start.lan });
  await refuseUsedPort({ port: start.notifierPort, what: 'the notifier', variable: 'NOTIFIER_PORT', lan: start.lan });
}

export function refuseFullDisk({ freeBytes, folder }: { freeBytes: number; folder: string }): void {
  const freeMb = Math.floor(freeBytes / 1e6);
  if (freeMb < neededMb)
    throw refusal(
      `Only ${freeMb} MB are free on the disk that holds ${folder}, and MongoDB and RabbitMQ need ${neededMb} MB to run safely. Make room and run this again.`,
    );
}

async function refuseUsedPort(options: { port: number; what: string; variable: string; lan: boolean }): Promise<void> {
  const { port, what, variable, lan } = options;
  // A browser tries localhost's IPv6 address first: somebody there would be taken for us.
  const hosts = [lan ? '0.0.0.0' : '127.0.0.1', ...(hasIpv6Loopback() ? ['::1'] : [])];
  const free = await Promise.all(hosts.map((host) => isFree(port, host))).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EACCES') throw error;
    throw refusal(`Only root may listen on port ${port}. Choose one above 1023: ${variable}=${port + 8000} npm start`);
  });
  if (free.includes(false))
    throw refusal(
      `Port ${port}, for ${what}, is in use by another program. End that one, or choose another port: ${variable}=${port + 100} npm start`,
    );
}

const hasIpv6Loopback = (): boolean =>
  Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ address }) => address === '::1'));

/** This machine's address in its network, for `--lan`. */
export function lanAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const outside = addresses.find(({ family, internal }) => family === 'IPv4' && !internal);
  if (!outside) throw refusal('--lan needs a network, and this machine has no address in one.');
  return outside.address;
}
