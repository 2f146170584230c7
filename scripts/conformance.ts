// npm run conformance: starts its own stack, has it judged by third-party tools and collections of cases, and writes
// docs/conformance.md: Redocly, AsyncAPI's parser, two client generators whose clients place an order, what
// test/outsiders has, publint and attw, and Schemathesis as a customer and as a manager. `--examples N` sets how many
// cases Schemathesis generates for each call (30). The exit code is 0 only if every check passes.
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineCommand, readCommandLine, readNumber } from './command-line.ts';
import {
  asyncApiParser,
  jsonFiles,
  openapiPythonClient,
  openapiTypescript,
  packedClient,
  redocly,
  schemathesis,
  signatures,
  texts,
  type Check,
} from './conformance/checks.ts';
import { roles, startConformanceStack } from './conformance/stack.ts';
import { installTools, withVersion } from './conformance/tools.ts';
import { writeReport, type Judged } from './conformance/write-report.ts';
import { startReaper } from '@comanda/local-stack/reaper/start-reaper';
import { shutdownSignal } from './shutdown-signal.ts';
import { comandaDir, programsDir, root } from '@comanda/local-stack/root';
import { isRefusal } from '@comanda/local-stack/servers/refusal';
import {
  serverVariables,
  startEphemeralServers,
  type ServerUrls,
} from '@comanda/local-stack/servers/ephemeral-servers';

const { values } = readCommandLine(
  defineCommand({
    name: 'npm run conformance',
    script: 'conformance',
    about: 'Starts its own stack and checks it with third-party tools.',
    options: { examples: { value: 'N', help: 'how many cases Schemathesis generates for each call (30)' } },
  }),
);
const examples = readNumber('examples', values.examples ?? '30');
const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  devDependencies: Record<string, string>;
};
const log = (line: string): void => console.error(line);
const checks: readonly { name: string; by: string; check: Check }[] = [
  {
    name: '/openapi.json, its recommended rules',
    by: `Redocly ${devDependencies['@redocly/openapi-core']}`,
    check: redocly,
  },
  { name: '/asyncapi.json', by: withVersion('@asyncapi/parser'), check: asyncApiParser },
  {
    name: 'types that it generates: a program orders with them',
    by: withVersion('openapi-typescript'),
    check: openapiTypescript,
  },
  {
    name: 'a client in Python that it generates: it orders',
    by: withVersion('openapi-python-client'),
    check: openapiPythonClient,
  },
  { name: 'bodies that are JSON, or nearly', by: 'JSONTestSuite', check: jsonFiles },
  { name: 'remarks that are kept as they are', by: 'Big List of Naughty Strings', check: texts },
  { name: 'signatures of tokens and receipts, on P-256', by: 'Wycheproof', check: signatures },
  {
    name: 'packages/client, as it is published',
    by: `${withVersion('publint')}, ${withVersion('@arethetypeswrong/cli')}`,
    check: packedClient,
  },
  ...roles.map((role) => ({
    name: `every call, as a ${role}`,
    by: withVersion('schemathesis'),
    check: schemathesis(role, examples),
  })),
];

let stopStack = async (): Promise<void> => {};

async function runChecks(): Promise<number> {
  mkdirSync(comandaDir, { recursive: true });
  const tools = await installTools(log);
  const given = Object.fromEntries(serverVariables.map((name) => [name, process.env[name]])) as Partial<ServerUrls>;
  log('starting the stack');
  const dataDir = mkdtempSync(join(comandaDir, 'conformance-'));
  Object.assign(process.env, await startEphemeralServers({ given, programsDir, dataDir, log, reaper }));
  const stack = await startConformanceStack(log);
  stopStack = stack.close;
  const judged: Judged[] = [];
  for (const { name, by, check } of checks) {
    const startedAt = performance.now();
    const result = await check(stack.gatewayUrl, tools);
    judged.push({ name, by, ...result });
    log(`${result.passed ? '✓' : '✗'} ${by}: ${name} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
    if (result.report !== '') log(result.report.replaceAll(/^/gm, '    '));
  }
  const failed = judged.filter(({ passed }) => !passed).length;
  await writeReport(judged);
  log(failed === 0 ? 'All checks passed.' : `${failed} of ${checks.length} checks failed.`);
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
