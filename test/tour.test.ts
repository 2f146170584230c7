import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { budget } from '@comanda/testing/budget';
import { describeSignIns, publicSignIns } from '@comanda/local-stack/demo-sign-ins';
import { neverPrintedByTour, printedByTour, readTour, refusedByTour } from '@comanda/local-stack/tour';
import { root } from '@comanda/local-stack/root';
import { seedStack } from '@comanda/testing/seed-stack';
import { startStackHere, type Stack } from '@comanda/testing/stack';
import { withoutLimits } from '@comanda/testing/step-up-calls';

const { blocks: tour, forDocker, page } = readTour();

const exists = (shell: string): boolean => {
  try {
    execFileSync(shell, ['-c', ':']);
    return true;
  } catch {
    return false;
  }
};
/**
 * The shells in which to paste the tour. On Debian, `sh` is dash, the most basic shell. The long run uses every installed shell.
 */
const shells = budget(['sh'], ['sh', 'bash', 'zsh']).filter((shell) => exists(shell));

describe('docs/tour.md', () => {
  let stack: Stack;
  let folder: string;
  const opened: (() => Promise<void> | void)[] = [];
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tour-'));
    opened.push(() => rmSync(folder, { recursive: true, force: true }));
    stack = await startStackHere('tour', withoutLimits);
    opened.push(stack.close);
    await seedStack(stack);
    mkdirSync(join(folder, '.comanda'));
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    cpSync(join(root, 'package.json'), join(folder, 'package.json'));
  });
  afterAll(async () => {
    for (const close of opened.toReversed()) await close();
  });

  /** Pastes the texts into a shell. Returns everything that the shell and its processes print. */
  async function paste(
    shell: string,
    { texts, path = '' }: { texts: readonly string[]; path?: string },
  ): Promise<string> {
    const script = texts
      .join('\n')
      .replaceAll('http://localhost:3000', stack.gatewayUrl)
      .replaceAll('http://localhost:3004', stack.notifierUrl);
    const programs = [...(path ? [path] : []), dirname(process.execPath), process.env['PATH']].join(delimiter);
    const child = spawn(shell, ['-c', script], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, PATH: programs },
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await once(child, 'close');
    return output;
  }
  /**
   * Returns the problem codes in the output, in order. Leaves out a code that depends on whether an earlier test has created the
   * PIN.
   */
  const refusalsIn = (output: string): string[] =>
    [...output.matchAll(/"code":"(\w+)"/g)]
      .map(([, code = '']) => code)
      .filter((code) => code !== 'transaction_password_exists');
  /**
   * Returns the events that the feed printed. It prints at the same time as curl, so an event may start in the middle of a line.
   */
  const eventsIn = (output: string): string[] => output.match(/order\.\w+ \d+ [a-z]+$/gm) ?? [];

  test.each(shells)('works as described in %s, even if it is pasted again', async (shell) => {
    const [first = '', second = ''] = (
      await paste(shell, { texts: [...tour, "echo 'the second time'", ...tour] })
    ).split('the second time\n');

    for (const output of [first, second]) {
      const [, order] = /order\.created (\d+) received/.exec(output) ?? [];
      expect(order).toMatch(/^\d+$/);
      expect(eventsIn(output).toSorted()).toEqual([
        `order.created ${order} received`,
        `order.item_status_changed ${order} preparing`,
        `order.status_changed ${order} preparing`,
      ]);
      expect(output).toContain(`{"id":${order},`);
      for (const text of printedByTour) expect(output).toContain(text);
      expect(output).toMatch(/"status":"closed".*"remaining":"0\.00"/);
      expect(refusalsIn(output)).toEqual(refusedByTour);
      expect(output).not.toMatch(neverPrintedByTour);
    }
    expect(second).toContain('"code":"transaction_password_exists"');
  });

  test.each(shells)('causes no unexpected errors if each block is pasted twice into %s', async (shell) => {
    const output = await paste(shell, { texts: tour.flatMap((text) => [text, text]) });

    expect(refusalsIn(output).toSorted()).toEqual([...refusedByTour, ...refusedByTour].toSorted());
    expect(output).not.toMatch(neverPrintedByTour);
  });

  test("takes the passwords from the demo's log if Comanda runs in Docker", async () => {
    const programs = join(folder, 'programs');
    mkdirSync(programs);
    const docker = join(programs, 'docker');
    const lines = ['the demo data is set up; sign in as', ...describeSignIns(publicSignIns)];
    // Docker Compose 2.25 and 2.26 start each line with this control code, even if the output is a pipe.
    const log = lines.map((line) => `\u001b[2K${line}`).join('\n');
    writeFileSync(docker, `#!/bin/sh\n[ "$*" = 'compose logs --no-log-prefix seed' ] && cat <<'END'\n${log}\nEND\n`);
    chmodSync(docker, 0o755);

    const forgetPassword = 'password() { echo wrong; }';
    const output = await paste('sh', { texts: [tour[0] ?? '', forgetPassword, ...forDocker], path: programs });

    expect(forDocker).toHaveLength(1);
    expect(output.match(/"email":"customer@comanda\.test"/g)).toHaveLength(2);
  });

  test('allows other passwords in its first block', async () => {
    const [, advice = '', line = ''] =
      /After `npm start -- --lan`,(.+?)`(password\(\) \{ [^`]+)`/.exec(page.replaceAll('\n', ' ')) ?? [];
    const [first = ''] = tour;

    const own = first.split('\n').with(1, line.replaceAll('…', publicSignIns.manager.password)).join('\n');
    const output = await paste('sh', { texts: [first.replace(publicSignIns.manager.password, 'wrong'), own] });

    expect(advice).toContain("in place of the block's second line, and paste the block again");
    expect(first.split('\n')[1]).toMatch(/^password\(\)/);
    expect(output.match(/"code":"invalid_credentials"/g)).toHaveLength(3);
    expect(output.match(/"email":"customer@comanda\.test"/g)).toHaveLength(1);
  });

  test('contains nothing that an interactive shell would interpret differently', () => {
    const withoutFiles = tour.map((text) => text.replaceAll(/<<'END'\n[^]*?\nEND\n/g, '\n')).join('\n');

    expect(withoutFiles).not.toMatch(/(^|\s)#/m); // A comment would fail in an interactive zsh.
    // An interactive shell expands `!`, even in the text of a file.
    expect(tour.join('\n').replaceAll(/\$!$/gm, '')).not.toContain('!');
  });
});
