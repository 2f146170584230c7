// npm run mutants: breaks each promise on purpose, one after the other, and runs the tests that must notice it.
// A mutant is a patch in test/mutants; see its README. The exit code is 0 only if every chosen mutant was found. Torture looks
// for its own in test/cluster.test.ts.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { startReaper } from '@comanda/local-stack/reaper/start-reaper';
import { comandaDir, programsDir, root } from '@comanda/local-stack/root';
import { lastLines, run as runCommand } from '@comanda/local-stack/servers/command';
import { startEphemeralServers } from '@comanda/local-stack/servers/ephemeral-servers';
import { isRefusal, refusal } from '@comanda/local-stack/servers/refusal';
import { defineCommand, readCommandLine } from './command-line.ts';
import { readMutants, type Mutant } from './mutants/read-mutants.ts';
import { shutdownSignal } from './shutdown-signal.ts';

const { operands } = readCommandLine(
  defineCommand({
    name: 'npm run mutants',
    script: 'mutants',
    about:
      'Breaks each promise on purpose, one after the other, in the files of this folder, and runs the tests that must\n' +
      'notice it. The files are put back after each.',
    options: {},
    operands: { usage: '[NAME …]', help: 'only these, by a part of their names' },
  }),
);

const apply = (patch: string, ...flags: string[]): void =>
  void execFileSync('git', ['apply', ...flags, patch], { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] });

/**
 * The name of the first test that fails while the mutant is applied. Without one, whether all tests passed; if not, they
 * did not run to their end, which says nothing of the mutant.
 */
async function findTest({ patch, foundBy }: Mutant, env: NodeJS.ProcessEnv): Promise<Found> {
  apply(patch);
  applied = patch;
  try {
    const args = [...process.execArgv, join(root, 'scripts/test.ts'), ...foundBy];
    const { code, output } = await runCommand({ command: process.execPath, args, env, timeoutMs: 1_800_000 });
    // A file that does not load fails whatever it promises.
    const failed = [...output.matchAll(/^ {2}● (.+)$/gm)].map(([, name = '']) => name);
    const test = failed.find((name) => name !== 'Test suite failed to run');
    if (test !== undefined) return { verdict: 'found ', detail: `        ${test}` };
    if (code === 0) return { verdict: 'MISSED', detail: `        ${foundBy.join(', ')}` };
    return { verdict: 'UNSURE', detail: `    the tests did not run to their end:\n${lastLines(output)}` };
  } finally {
    putBack();
  }
}
type Found = { verdict: 'found ' | 'MISSED' | 'UNSURE'; detail: string };
let applied: string | null = null;
function putBack(): void {
  if (applied !== null) apply(applied, '--reverse');
  applied = null;
}

const reaper = await startReaper();
async function run(): Promise<number> {
  const changed = execFileSync('git', ['status', '--porcelain', '-uno'], { cwd: root, encoding: 'utf8' });
  if (changed !== '')
    throw refusal('Commit or stash your changes first: the mutants are applied to the files of this folder.');
  const all = readMutants().filter(({ foundBy }) => foundBy.length > 0);
  const chosen = all.filter(({ name }) => operands.length === 0 || operands.some((part) => name.includes(part)));
  if (chosen.length === 0)
    throw refusal(`No mutant has such a name. There are: ${all.map(({ name }) => name).join(', ')}`);
  mkdirSync(comandaDir, { recursive: true });
  const dataDir = mkdtempSync(join(comandaDir, 'mutants-'));
  const urls = await startEphemeralServers({ given: {}, programsDir, dataDir, log: console.error, reaper });
  let found = 0;
  for (const [index, mutant] of chosen.entries()) {
    const { verdict, detail } = await findTest(mutant, { ...process.env, ...urls });
    if (isStopping) return 1; // the tests were stopped too
    console.log(`${verdict}  ${index + 1}/${chosen.length}  ${mutant.name}: ${mutant.breaks}\n${detail}`);
    if (verdict === 'found ') found++;
  }
  console.log(`${found} of ${chosen.length} mutants were found`);
  return found === chosen.length ? 0 : 1;
}
let isStopping = false;
async function stopped(): Promise<number> {
  await shutdownSignal((why) => console.error(`stopping: ${why}`));
  isStopping = true;
  return 1;
}
const exitCode = await Promise.race([run(), stopped()]).catch((error: unknown) => {
  console.error(isRefusal(error) ? error.message : error);
  return 1;
});
putBack();
await reaper.finish();
process.exit(exitCode);
