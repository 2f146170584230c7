// npm run conformance: starts its own stack, and checks its API documents and API with third-party tools. The tools are the
// AsyncAPI parser, openapi-typescript (a program uses its types to order and pay), and Schemathesis as a customer and as a
// manager. `npm test -- test/outsiders.test.ts` runs other public test suites.
import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { startReaper } from '@comanda/local-stack/reaper/start-reaper';
import { comandaDir, programsDir } from '@comanda/local-stack/root';
import {
  serverVariables,
  startEphemeralServers,
  type ServerUrls,
} from '@comanda/local-stack/servers/ephemeral-servers';
import { isRefusal } from '@comanda/local-stack/servers/refusal';
import { defineCommand, readCommandLine, readNumber } from './command-line.ts';
import { asyncApiParser, openapiTypescript, schemathesis, type Check } from './conformance/checks.ts';
import { roles, startConformanceStack } from './conformance/stack.ts';
import { installTools } from './conformance/tools.ts';
import { shutdownSignal } from './shutdown-signal.ts';

const { values } = readCommandLine(
  defineCommand({
    name: 'npm run conformance',
    script: 'conformance',
    about: 'Starts its own stack and checks its API with third-party tools.',
    options: {
      examples: { value: 'N', help: 'how many cases Schemathesis generates for each call (30)' },
      only: { value: 'TEXT', help: 'only the checks whose name has this text' },
    },
  }),
);
const examples = readNumber('examples', values.examples ?? '30');
const log = (line: string): void => console.error(line);

const checks: readonly { name: string; check: Check }[] = [
  { name: '@asyncapi/parser: /asyncapi.json', check: asyncApiParser },
  { name: 'openapi-typescript: a program with its types orders and pays', check: openapiTypescript },
  ...roles.map((role) => ({ name: `Schemathesis: every call, as a ${role}`, check: schemathesis(role, examples) })),
];
const chosen = checks.filter(({ name }) => name.includes(values.only ?? ''));
if (chosen.length === 0) {
  console.error(`No check has "${values.only}" in its name. They are:`);
  for (const { name } of checks) console.error(`  ${name}`);
  process.exit(1);
}

let stopStack = async (): Promise<void> => {};

async function runChecks(): Promise<number> {
  mkdirSync(comandaDir, { recursive: true });
  const tools = await installTools(log);
  const given = Object.fromEntries(serverVariables.map((name) => [name, process.env[name]])) as Partial<ServerUrls>;
  log('starting the stack');
  const dataDir = mkdtempSync(join(comandaDir, 'conformance-'));
  reaper.remove(dataDir);
  Object.assign(process.env, await startEphemeralServers({ given, programsDir, dataDir, log, reaper }));
  const stack = await startConformanceStack(log);
  stopStack = stack.close;
  let failed = 0;
  for (const { name, check } of chosen) {
    const startedAt = performance.now();
    const { passed, report } = await check(stack.gatewayUrl, tools).catch((error: unknown) => ({
      passed: false,
      report: String(error),
    }));
    if (!passed) failed++;
    log(`${passed ? '✓' : '✗'} ${name} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
    if (report !== '') log(report.replaceAll(/^/gm, '    '));
  }
  log(failed === 0 ? 'All checks passed.' : `${failed} of ${chosen.length} checks failed.`);
  return failed === 0 ? 0 : 1;
}

const reaper = await startReaper();
const interrupted = shutdownSignal().then(() => {
  log('interrupted');
  return 130;
});
const exitCode = await Promise.race([runChecks(), interrupted]).catch((error: unknown) => {
  console.error(isRefusal(error) ? error.message : error);
  return 1;
});
await stopStack();
await reaper.finish();
process.exit(exitCode);
