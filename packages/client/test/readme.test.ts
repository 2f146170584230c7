import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { seedDemo } from '../../../scripts/seed.ts';
import { startStack } from '@comanda/testing/stack';
import type { Stack, ServiceName } from '@comanda/testing/stack';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { internalErrors } from '@comanda/testing/service-process';
import { until } from '@comanda/testing/until';
import { createClient } from '../src/client.ts';

const here = fileURLToPath(new URL('..', import.meta.url));

/** The README's programs by the name in their first line. */
const programs = new Map(
  [...readFileSync(join(here, 'README.md'), 'utf8').matchAll(/```js\n\/\/ (\S+)\n([^]*?)```/g)].map(
    ([, name = '', program = '']) => [name, program],
  ),
);

const demoPassword = 'comanda-demo';
const pin = '739152';
/** Both customers have an account, the first one money. */
async function fillAccounts(url: string): Promise<void> {
  const accounts: number[] = [];
  for (const email of ['customer@comanda.test', 'second@comanda.test']) {
    const client = createClient({ url });
    await client.signIn({ email, password: demoPassword });
    const [account = await client.calls.openAccount()] = await client.calls.listAccounts();
    accounts.push(account.id);
  }
  const manager = createClient({ url, onConsent: () => Promise.resolve({ transaction_password: pin }) });
  await manager.signIn({ email: 'manager@comanda.test', password: demoPassword });
  await manager.calls.createTransactionPassword({ transaction_password: pin, confirmation: pin });
  await manager.calls.deposit({ id: accounts[0] ?? 0, amount: '1000.00' });
}

type Running = { output: () => string; ended: Promise<number | null>; child: ChildProcess };

describe("the README's programs", () => {
  let stack: Stack;
  let folder: string;
  const running: Running[] = [];
  beforeAll(async () => {
    // Where `@comanda/client` is found as a stranger's program finds it.
    folder = mkdtempSync(join(here, 'readme-'));
    stack = await startStack(await isolatedServers('readme'));
    await seedDemo({ gatewayUrl: stack.gatewayUrl, runServiceCommand: stack.runServiceCommand, log: () => {} });
    await fillAccounts(stack.gatewayUrl);
  }, 90_000);
  afterAll(async () => {
    for (const { child } of running) child.kill('SIGKILL');
    await Promise.all(running.map(({ ended }) => ended));
    await stack.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function start(name: string): Running {
    const program = programs.get(name)?.replaceAll('http://localhost:3000', stack.gatewayUrl);
    const file = join(folder, `${running.length}-${name}`);
    writeFileSync(file, program?.replaceAll('http://localhost:3004', stack.notifierUrl) ?? '');
    const child = spawn(process.execPath, ['--conditions=source', file], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const one = { child, output: () => output, ended: once(child, 'exit').then(([code]) => code as number | null) };
    running.push(one);
    return one;
  }
  async function run(name: string): Promise<string> {
    const one = start(name);
    const code = await one.ended;
    const said = [one.output(), ...internalErrors(Object.values(stack.services))];
    if (code !== 0) throw new Error(`${name} ended with ${code}:\n${said.join('\n')}`);
    return one.output();
  }
  async function killAndRestart(service: ServiceName, meanwhile: () => Promise<void> = async () => {}): Promise<void> {
    await stack.services[service].end('SIGKILL');
    await meanwhile();
    await stack.services[service].start();
    await stack.services[service].ready();
  }
  const idOf = (output: string): string => /^order (\d+): received/m.exec(output)?.[1] ?? `no order in: ${output}`;

  test('when services are killed and started again meanwhile, then every order is placed once and seen in the kitchen', async () => {
    const kitchen = start('kitchen.js');
    const sees = (id: string) =>
      until(() => kitchen.output().includes(`order ${id}: received → preparing,cancelled`), {
        timeoutMs: 30_000,
        what: `order ${id} in the kitchen, which says: ${kitchen.output()}`,
      });
    await until(() => kitchen.output().includes('feed: live'), { timeoutMs: 20_000, what: 'the live feed' });
    await sees(idOf(await run('order.js')));

    await killAndRestart('notifier', async () => void ids.push(idOf(await run('order.js'))));
    await killAndRestart('gateway');
    ids.push(idOf(await run('order.js')));
    let ordering: Promise<string> | undefined;
    await killAndRestart('orders', async () => {
      ordering = run('order.js');
      await until(() => running.at(-1) !== kitchen, { timeoutMs: 1000, what: 'an order in the making' });
    });
    ids.push(idOf((await ordering) ?? ''));
    for (const id of ids) await sees(id);
    expect(new Set(ids).size).toBe(3);
    expect(kitchen.output()).not.toContain('Error');
  }, 120_000);
  const ids: string[] = [];

  test('when a transfer needs the PIN, then it is asked for, and the transfer is posted', async () => {
    expect(await run('transfer.js')).toMatch(
      /^PIN for transferMoney of 12\.50\nPIN for transferMoney of 12\.50, 2 tries left\ntransfer \d+: 12\.50 BRL, posted\n$/,
    );
  }, 40_000);

  test('when it fails, then the program can tell why', async () => {
    const output = await run('failures.js');
    expect(output).toContain('menu_item_unknown none [{"index":0,"name":"Moonstone soup"}]');
    expect(output).toMatch(/\d+ orders on this page/);
  }, 40_000);
});
