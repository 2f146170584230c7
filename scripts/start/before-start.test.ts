import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@comanda/local-stack/servers/free-port';
import { readArguments } from './arguments.ts';
import { checkBeforeStart, refuseFullDisk } from './before-start.ts';

describe('the checks before npm start', () => {
  let folder: string;
  let others: Server[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'before-start-'));
  });
  afterEach(async () => {
    for (const other of others) await new Promise((resolve) => other.close(resolve));
    others = [];
    rmSync(folder, { recursive: true });
  });

  async function usedPort(): Promise<number> {
    const other = createServer().listen(0, '127.0.0.1');
    others.push(other);
    await once(other, 'listening');
    return (other.address() as AddressInfo).port;
  }
  const check = (ports: { GATEWAY_PORT: number; NOTIFIER_PORT: number }): Promise<void> => {
    const env = { GATEWAY_PORT: String(ports.GATEWAY_PORT), NOTIFIER_PORT: String(ports.NOTIFIER_PORT) };
    return checkBeforeStart(readArguments({ lan: true }, env), folder);
  };

  /** Returns the ports from the command line that a rejection suggests. */
  async function advised(refused: Promise<void>): Promise<{ GATEWAY_PORT: number; NOTIFIER_PORT: number }> {
    const message = await refused.then(String, (error: Error) => error.message);
    const found = /\n {2}GATEWAY_PORT=(\d+) NOTIFIER_PORT=(\d+) npm start -- --lan$/.exec(message);
    if (!found) throw new Error(`no command line in: ${message}`);
    return { GATEWAY_PORT: Number(found[1]), NOTIFIER_PORT: Number(found[2]) };
  }

  test('name both ports in use in a single message', async () => {
    const used = { GATEWAY_PORT: await usedPort(), NOTIFIER_PORT: await usedPort() };

    const refused = check(used);

    await expect(refused).rejects.toThrow(
      new RegExp(`Port ${used.GATEWAY_PORT} \\(the gateway\\)[^]*Port ${used.NOTIFIER_PORT} \\(the notifier\\)`),
    );
    await check(await advised(refused));
  });
  test('keep the free port if only the other one is in use', async () => {
    const used = await usedPort();
    const free = await freePort();

    const advice = await advised(check({ GATEWAY_PORT: free, NOTIFIER_PORT: used }));

    expect(advice.GATEWAY_PORT).toBe(free);
    await check(advice);
  });
  test('show how much disk space is missing if the disk is nearly full', () => {
    expect(() => refuseFullDisk({ freeBytes: 12_345_678, folder: '/data' })).toThrow(/12 MB.*\/data.*1000 MB/);
    expect(() => refuseFullDisk({ freeBytes: 2e9, folder: '/data' })).not.toThrow();
  });
});
