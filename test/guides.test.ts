import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { seedStack } from '@comanda/testing/seed-stack';
import { startStackHere, type Stack } from '@comanda/testing/stack';
import { withoutLimits } from '@comanda/testing/step-up-calls';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'docs', 'guides');
const guides = readdirSync(folder).filter((name) => name.endsWith('.md'));

type Program = { name: string; program: string; output: string };
/** Returns the programs in a guide, each with the output that the guide shows for it. */
const programsOf = (guide: string): Program[] =>
  [
    ...readFileSync(join(folder, guide), 'utf8').matchAll(/```js\n\/\/ (\S+)\n([^]*?)```(?:\n\n```text\n([^]*?)```)?/g),
  ].map(([, name = '', program = '', output = '']) => ({ name, program, output }));
/** Replaces ids, ticket numbers and versions by `#`, because they differ from restaurant to restaurant. */
const withoutIds = (output: string): string => output.replaceAll(/(?<=\b(order|ticket|created) )\d+/g, '#');

describe('in the guides', () => {
  let stack: Stack;
  /**
   * The folder where the guides' programs run. It is inside the repository, so that they find `@comanda/client`, and below a test
   * folder, which no app's build reads.
   */
  let work: string;
  beforeAll(async () => {
    work = mkdtempSync(join(root, 'packages', 'client', 'test', 'readme-guides-'));
    stack = await startStackHere('guides', withoutLimits);
    await seedStack(stack);
  });
  afterAll(async () => {
    rmSync(work, { recursive: true, force: true });
    await stack.close();
  });

  /** Runs the program and returns its output. */
  async function run({ name, program }: Program): Promise<string> {
    const file = join(work, name);
    writeFileSync(file, program.replaceAll('http://localhost:3000', stack.gatewayUrl));
    const child = spawn(process.execPath, ['--conditions=source', file], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await once(child, 'close');
    return output;
  }

  test.each(guides)('the programs in %s print what the guide shows', async (guide) => {
    const programs = programsOf(guide);
    const printed: string[] = [];
    for (const program of programs) printed.push(withoutIds(await run(program)));

    expect(programs.length).toBeGreaterThan(0);
    expect(printed).toEqual(programs.map(({ output }) => withoutIds(output)));
  });

  test('kitchen.mjs says which program to run first if there are no orders to cook', async () => {
    const found = programsOf('place-and-cook-an-order.md').find(({ name }) => name === 'kitchen.mjs');
    const atAnotherTable = String(found?.program).replaceAll("'12'", "'14'");

    const printed = await run({ name: 'no-order.mjs', program: atAnotherTable, output: '' });

    expect(printed).toBe('Table 12 has no order to cook: run order.mjs first.\n');
  });

  test.each(guides)('%s explains what to change for another port or with --lan', (guide) => {
    const introduction = readFileSync(join(folder, guide), 'utf8').split('\n## ')[0];

    expect(introduction).toMatch(/another port.*--lan.*change the URL and passwords/);
  });
});
