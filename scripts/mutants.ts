// npm run mutants: breaks each promise on purpose and runs the tests that must detect it. Each mutant is a patch in test/mutants
// (see the README there). The exit code is 0 only if every selected mutant was found.
import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { startReaper } from '@comanda/local-stack/reaper/start-reaper';
import { comandaDir, programsDir } from '@comanda/local-stack/root';
import { lastLines, run as runCommand } from '@comanda/local-stack/servers/command';
import {
  serverVariables,
  startEphemeralServers,
  type ServerUrls,
} from '@comanda/local-stack/servers/ephemeral-servers';
import { isRefusal, refusal } from '@comanda/local-stack/servers/refusal';
import { defineCommand, readCommandLine } from './command-line.ts';
import { readMutants, type Mutant, type Torture } from './mutants/read-mutants.ts';
import { startTorturer } from './mutants/torture-mutants.ts';
import { createWorkingCopy } from './mutants/working-copy.ts';
import { shutdownSignal } from './shutdown-signal.ts';

const { operands } = readCommandLine(
  defineCommand({
    name: 'npm run mutants',
    script: 'mutants',
    about:
      'Breaks each promise on purpose, one after the other, in a copy of this folder, and runs the tests or the torture\n' +
      'that must notice it.',
    options: {},
    operands: { usage: '[NAME …]', help: 'only these, by a part of their names' },
  }),
);

/**
 * Runs the mutant's test files. If a test fails, the mutant is found. If all tests pass, the mutant is missed. If the tests don't
 * finish, the result proves nothing.
 */
async function findByTests({ foundBy }: Mutant, env: NodeJS.ProcessEnv): Promise<Found> {
  const args = [...process.execArgv, join(copy.root, 'scripts/test.ts'), '--bail', ...foundBy];
  const { code, output } = await runCommand({ command: process.execPath, args, env, timeoutMs: 1_800_000 });
  // A test file that doesn't load fails too, but says nothing about the mutant.
  const failed = [...output.matchAll(/^ {2}● (.+)$/gm)].map(([, name = '']) => name);
  const test = failed.find((name) => name !== 'Test suite failed to run');
  if (test !== undefined) return { verdict: 'found ', detail: test };
  if (code === 0) return { verdict: 'MISSED', detail: foundBy.join(', ') };
  return { verdict: 'UNSURE', detail: `the tests did not run to their end:\n${lastLines(output)}` };
}
async function findByTorture({ name }: Mutant, { faults, says }: Torture): Promise<Found> {
  torturer ??= await startTorturer();
  const broken = await torturer.torture({ root: copy.root, name, faults });
  const found = broken.find((sentence) => says.some((part) => sentence.includes(part)));
  if (found !== undefined) return { verdict: 'found ', detail: `torture: ${found}` };
  return { verdict: 'MISSED', detail: `torture says: ${broken.join('; ') || 'every promise was kept'}` };
}
type Found = { verdict: 'found ' | 'MISSED' | 'UNSURE'; detail: string };
let torturer: Awaited<ReturnType<typeof startTorturer>> | undefined;

mkdirSync(comandaDir, { recursive: true });
const reaper = await startReaper();
const copy = createWorkingCopy();
reaper.remove(copy.root);
async function run(): Promise<number> {
  const all = readMutants();
  const chosen = all.filter(({ name }) => operands.length === 0 || operands.some((part) => name.includes(part)));
  if (chosen.length === 0)
    throw refusal(`No mutant has such a name. There are: ${all.map(({ name }) => name).join(', ')}`);
  const dataDir = mkdtempSync(join(comandaDir, 'mutants-data-'));
  const given = Object.fromEntries(serverVariables.map((name) => [name, process.env[name]])) as Partial<ServerUrls>;
  const urls = await startEphemeralServers({ given, programsDir, dataDir, log: console.error, reaper });
  const env = { ...process.env, ...urls };
  let found = 0;
  for (const [index, mutant] of chosen.entries()) {
    const verdicts = await copy.during(mutant.patch, async () => [
      ...(mutant.foundBy.length > 0 ? [await findByTests(mutant, env)] : []),
      ...(mutant.torture ? [await findByTorture(mutant, mutant.torture)] : []),
    ]);
    if (isStopping) return 1; // the tests may have failed only because they were stopped
    console.log(`${index + 1} of ${chosen.length}  ${mutant.name}: ${mutant.breaks}`);
    for (const { verdict, detail } of verdicts) console.log(`    ${verdict}  ${detail}`);
    if (verdicts.every(({ verdict }) => verdict === 'found ')) found++;
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
await torturer?.close();
await reaper.finish();
process.exit(exitCode);
