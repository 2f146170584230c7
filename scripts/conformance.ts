// npm run conformance: starts its own stack and checks it with third-party tools: Redocly, AsyncAPI's parser, two client
// generators whose clients place an order, and Schemathesis as a customer and as a manager. `--examples N` sets how many
// cases Schemathesis generates for each call (30). The exit code is 0 only if every check passes.
import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { defineCommand, readCommandLine, readNumber } from './command-line.ts';
import {
  asyncApiParser,
  openapiPythonClient,
  openapiTypescript,
  redocly,
  schemathesis,
  type Check,
} from './conformance/checks.ts';
import { roles, startConformanceStack } from './conformance/stack.ts';
import { installTools } from './conformance/tools.ts';
import { startReaper } from '@comanda/local-stack/reaper/start-reaper';
import { shutdownSignal } from './shutdown-signal.ts';
import { comandaDir, programsDir } from '@comanda/local-stack/root';
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
const log = (line: string): void => console.error(line);
const checks: readonly (readonly [string, Check])[] = [
  ["Redocly's recommended rules", redocly],
  ["AsyncAPI's parser", asyncApiParser],
  ['openapi-typescript: an order with its types', openapiTypescript],
  ['openapi-python-client: an order with its client', openapiPythonClient],
  ...roles.map((role) => [`Schemathesis as ${role}`, schemathesis(role, examples)] as const),
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
  let failed = 0;
  for (const [name, check] of checks) {
    const startedAt = performance.now();
    const { passed, report } = await check(stack.gatewayUrl, tools);
    if (!passed) failed++;
    log(`${passed ? '✓' : '✗'} ${name} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
    if (report !== '') log(report.replaceAll(/^/gm, '    '));
  }
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
