// npm run conformance: starts its own stack, has it judged by third-party tools and collections of cases, and writes
// docs/conformance.md: linters of the API documents, generators of clients whose clients order and pay, the protocols of
// the live feed and clients of it in Python and Java, what test/outsiders has, a checker of linearizability, Lighthouse,
// a collector of OpenTelemetry, Grafana's types for the dashboard, publint and attw, and Schemathesis as a customer and as
// a manager. `--examples N` sets how many cases Schemathesis generates for each call (30). `--only TEXT` runs only the
// checks whose name or tool has this text, and writes nothing. The exit code is 0 only if every check passes. A check that
// this machine lacks something for has not passed.
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineCommand, readCommandLine, readNumber } from './command-line.ts';
import { bank, porcupineVersion } from './conformance/bank.ts';
import { jsonFiles, packedClient, schemathesis, signatures, texts } from './conformance/checks.ts';
import { oapiCodegen, oapiCodegenVersion, openapiPythonClient, openapiTypescript } from './conformance/clients.ts';
import { dashboard, grafanaSdkVersion } from './conformance/dashboard.ts';
import {
  javaSocketIo,
  javaSocketIoVersion,
  protocol,
  protocolThroughGateway,
  pythonSocketIo,
} from './conformance/feed.ts';
import { asyncApiParser, redocly, spectral } from './conformance/linters.ts';
import { lighthouse } from './conformance/pages.ts';
import type { Check, Result } from './conformance/run.ts';
import { roles, startConformanceStack } from './conformance/stack.ts';
import { installTools, withVersion } from './conformance/tools.ts';
import { collectorVersion, traces } from './conformance/traces.ts';
import { writeReport, type Judged } from './conformance/write-report.ts';
import { startReaper } from '@comanda/local-stack/reaper/start-reaper';
import { shutdownSignal } from './shutdown-signal.ts';
import { comandaDir, programsDir, root } from '@comanda/local-stack/root';
import { freePort } from '@comanda/local-stack/servers/free-port';
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
    options: {
      examples: { value: 'N', help: 'how many cases Schemathesis generates for each call (30)' },
      only: {
        value: 'TEXT',
        help: 'only the checks whose name or tool has this text; docs/conformance.md stays as it is',
      },
    },
  }),
);
const examples = readNumber('examples', values.examples ?? '30');
const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  devDependencies: Record<string, string>;
};
const log = (line: string): void => console.error(line);
/** Nobody listens there until the check of traces does. */
const collectorUrl = `http://127.0.0.1:${await freePort()}`;
const checks: readonly { name: string; by: string; check: Check }[] = [
  {
    name: '/openapi.json, its recommended rules',
    by: `Redocly ${devDependencies['@redocly/openapi-core']}`,
    check: redocly,
  },
  { name: '/openapi.json, its own rules', by: withVersion('@stoplight/spectral-cli'), check: spectral('openapi') },
  { name: '/asyncapi.json', by: withVersion('@asyncapi/parser'), check: asyncApiParser },
  { name: '/asyncapi.json, its own rules', by: withVersion('@stoplight/spectral-cli'), check: spectral('asyncapi') },
  {
    name: 'types that it generates: a program in TypeScript orders and pays',
    by: withVersion('openapi-typescript'),
    check: openapiTypescript,
  },
  {
    name: 'a client that it generates: a program in Python orders and pays',
    by: withVersion('openapi-python-client'),
    check: openapiPythonClient,
  },
  {
    name: 'a client that it generates: a program in Go orders and pays',
    by: `oapi-codegen ${oapiCodegenVersion.slice(1)}`,
    check: oapiCodegen,
  },
  ...(['Engine.IO v4', 'Socket.IO v5'] as const).flatMap((suite) => [
    {
      name: "packets of the live feed's server, with long polling, which it has for this only",
      by: `test suite of ${suite}`,
      check: protocol(suite),
    },
    {
      name: 'the same through a gateway, over WebSocket',
      by: `test suite of ${suite}`,
      check: protocolThroughGateway(suite),
    },
  ]),
  {
    name: 'the live feed: orders, a lost connection, refusals',
    by: withVersion('python-socketio'),
    check: pythonSocketIo,
  },
  {
    name: 'the same, in Java',
    by: `io.socket:socket.io-client ${javaSocketIoVersion}`,
    check: javaSocketIo,
  },
  {
    name: 'transfers and balances at once, as if one by one',
    by: `Porcupine ${porcupineVersion.slice(1)}`,
    check: bank,
  },
  ...(['table', 'kitchen'] as const).flatMap((app) =>
    (['phone', 'desktop'] as const).map((screen) => ({
      name: `the app of the ${app} on a ${screen}: accessibility, best practices${app === 'table' ? ', search engines' : ''}`,
      by: withVersion('lighthouse'),
      check: lighthouse(app, screen),
    })),
  ),
  { name: 'bodies that are JSON, or nearly', by: 'JSONTestSuite', check: jsonFiles },
  { name: 'remarks that are kept as they are', by: 'Big List of Naughty Strings', check: texts },
  { name: 'signatures of tokens and receipts, on P-256', by: 'Wycheproof', check: signatures },
  {
    name: 'the traces of an order: one tree from the gateway to the screen',
    by: `OpenTelemetry Collector ${collectorVersion.slice(1)}`,
    check: traces(collectorUrl),
  },
  {
    name: 'the dashboard of deploy/monitoring, with the options of its panels',
    by: `Grafana Foundation SDK ${grafanaSdkVersion.slice(1)}`,
    check: dashboard,
  },
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

const { only } = values;
const chosen = only === undefined ? checks : checks.filter(({ name, by }) => `${by}: ${name}`.includes(only));
if (chosen.length === 0) {
  console.error(`No check has "${only}" in its name or tool. They are:`);
  for (const { name, by } of checks) console.error(`  ${by}: ${name}`);
  process.exit(1);
}
const failedBy = (error: unknown): Result => ({ passed: false, report: String(error) });

let stopStack = async (): Promise<void> => {};

async function runChecks(): Promise<number> {
  mkdirSync(comandaDir, { recursive: true });
  const tools = await installTools(log);
  const given = Object.fromEntries(serverVariables.map((name) => [name, process.env[name]])) as Partial<ServerUrls>;
  log('starting the stack');
  const dataDir = mkdtempSync(join(comandaDir, 'conformance-'));
  Object.assign(process.env, await startEphemeralServers({ given, programsDir, dataDir, log, reaper }));
  const stack = await startConformanceStack({ log, collectorUrl });
  stopStack = stack.close;
  const judged: Judged[] = [];
  for (const { name, by, check } of chosen) {
    const startedAt = performance.now();
    const result = await check(stack.gatewayUrl, tools).catch((error: unknown) => failedBy(error));
    judged.push({ name, by, ...result });
    log(`${result.passed ? '✓' : '✗'} ${by}: ${name} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
    if (result.report !== '') log(result.report.replaceAll(/^/gm, '    '));
  }
  const failed = judged.filter(({ passed }) => !passed).length;
  if (only === undefined) await writeReport(judged);
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
