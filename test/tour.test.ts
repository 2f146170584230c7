import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { seedDemo } from '../scripts/seed.ts';
import { startStack } from '@comanda/testing/stack';
import type { Stack } from '@comanda/testing/stack';
import { isolatedServers } from '@comanda/testing/isolated-servers';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The shell blocks of the README's tour, as one script. */
function tour(): string {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const [, chapter = ''] = readme.split('\n## A tour\n');
  const blocks = [...(chapter.split('\n## ')[0] ?? '').matchAll(/```sh\n([^]*?)```/g)];
  return blocks.map(([, block]) => block).join('\n');
}

describe("the README's tour", () => {
  let stack: Stack;
  let folder: string;
  const opened: (() => Promise<void> | void)[] = [];
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tour-'));
    opened.push(() => rmSync(folder, { recursive: true, force: true }));
    stack = await startStack(await isolatedServers('tour'));
    opened.push(stack.close);
    await seedDemo({ gatewayUrl: stack.gatewayUrl, runServiceCommand: stack.runServiceCommand, log: () => {} });
    mkdirSync(join(folder, '.comanda'));
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    cpSync(join(root, 'package.json'), join(folder, 'package.json'));
  }, 120_000);
  afterAll(async () => {
    for (const close of opened.toReversed()) await close();
  });

  test('when a stranger copies and pastes it, then it does what it says', async () => {
    const script = tour()
      .replaceAll('http://localhost:3000', stack.gatewayUrl)
      .replaceAll('http://localhost:3004', stack.notifierUrl);
    expect(script).toContain(stack.gatewayUrl);
    const shell = spawn('bash', ['-c', `${script}\nsleep 1; kill %1; wait`], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    shell.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    shell.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await once(shell, 'close');
    expect(output).toMatch(/live/);
    expect(output).toMatch(/order\.created \d+ received/);
    expect(output).toMatch(/order\.status_changed \d+ preparing/);
    expect(output).toContain('"total":"124.00"');
    expect(output).toContain('"pointer":"/items/0/quantity"');
    expect(output).toContain('"pointer":"/items/0/unit_price"');
    expect(output).toContain('"code":"step_up_required"');
    expect(output).toContain('"status":"posted"');
    expect(output).toContain('"code":"step_up_used"');
    expect(output).toMatch(/"amount":"12\.50","balance":"12\.50"/);
    expect(output).not.toMatch(/undefined|command not found|SyntaxError|ECONN/);
  }, 60_000);
});
