import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { seedStack } from '@comanda/testing/seed-stack';
import { startStackHere, type Stack } from '@comanda/testing/stack';
import { internalErrors } from '@comanda/testing/service-process';
import { until } from '@comanda/testing/until';
import { createClient } from '../src/index.ts';

const here = fileURLToPath(new URL('..', import.meta.url));

/** The programs in the README, indexed by the name in their first line. */
const programs = new Map(
  [...readFileSync(join(here, 'README.md'), 'utf8').matchAll(/```js\n\/\/ (\S+)\n([^]*?)```/g)].map(
    ([, name = '', program = '']) => [name, program],
  ),
);

const demoPassword = 'mesa-farofa-violao';
/** The demo manager's PIN. */
const pin = '739152';

/** Opens an account for each of the two demo customers, and puts money into the first account. */
async function fillAccounts(url: string): Promise<void> {
  const accountIds: number[] = [];
  for (const email of ['customer@comanda.test', 'second@comanda.test']) {
    const client = createClient({ url });
    await client.signIn({ email, password: demoPassword });
    const [account = await client.calls.openAccount()] = await client.calls.listAccounts();
    accountIds.push(account.id);
  }
  const manager = createClient({ url, onConsent: () => Promise.resolve({ transaction_password: pin }) });
  await manager.signIn({ email: 'manager@comanda.test', password: demoPassword });
  await manager.calls.deposit({ id: accountIds[0] ?? 0, amount: '1000.00' });
}

type RunningProgram = { output: () => string; ended: Promise<number | null>; child: ChildProcess };

describe("the README's programs", () => {
  let stack: Stack;
  let folder: string;
  const started: RunningProgram[] = [];
  beforeAll(async () => {
    // The folder is inside this package so that the programs can import `@comanda/client`. It is in `test`, because other tests
    // may build the apps from the package's other folders at the same time.
    folder = mkdtempSync(join(here, 'test', 'readme-'));
    stack = await startStackHere('readme');
    await seedStack(stack);
    await fillAccounts(stack.gatewayUrl);
  });
  afterAll(async () => {
    for (const { child } of started) child.kill('SIGKILL');
    await Promise.all(started.map(({ ended }) => ended));
    await stack.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function startProgram(name: string): RunningProgram {
    const text = (programs.get(name) ?? '')
      .replaceAll('http://localhost:3000', stack.gatewayUrl)
      .replaceAll('http://localhost:3004', stack.notifierUrl);
    const file = join(folder, `${started.length}-${name}`);
    writeFileSync(file, text);
    const child = spawn(process.execPath, ['--conditions=source', file], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const ended = once(child, 'exit').then(([code]) => code as number | null);
    const program = { child, output: () => output, ended };
    started.push(program);
    return program;
  }
  /** Runs the program with this name and returns its output. */
  async function runProgram(name: string): Promise<string> {
    const program = startProgram(name);
    const code = await program.ended;
    const lines = [program.output(), ...internalErrors(Object.values(stack.services))];
    if (code !== 0) throw new Error(`${name} ended with ${code}:\n${lines.join('\n')}`);
    return program.output();
  }
  const orderIdOf = (output: string): string => /^order (\d+): received/m.exec(output)?.[1] ?? `no order in: ${output}`;
  const placeOrder = async (): Promise<string> => orderIdOf(await runProgram('order.js'));

  async function startKitchen() {
    const kitchen = startProgram('kitchen.js');
    await until(() => kitchen.output().includes('feed: live'), { timeoutMs: 20_000, what: 'the live feed' });
    const untilInKitchen = (id: string) =>
      until(() => kitchen.output().includes(`order ${id}: received → preparing,cancelled`), {
        timeoutMs: 30_000,
        what: `order ${id} in the kitchen`,
      });
    return { kitchen, untilInKitchen };
  }

  test('show a placed order in the kitchen', async () => {
    const { kitchen, untilInKitchen } = await startKitchen();
    await untilInKitchen(await placeOrder());
    expect(kitchen.output()).not.toContain('Error');
  });

  test('ask for the PIN and post the transfer', async () => {
    const output = await runProgram('transfer.js');

    expect(output).toMatch(/^PIN for transferMoney of 12\.50\ntransfer \d+: 12\.50 BRL, posted\n$/);
  });

  test("print a failed call's code and fields", async () => {
    const output = await runProgram('failures.js');

    expect(output).toContain('menu_item_unknown none [{"index":0,"name":"Moonstone soup"}]');
    expect(output).toMatch(/\d+ orders on this page/);
  });
});
