// npm run conformance: starts a house of its own and lets other people's tools judge it: Redocly, AsyncAPI's parser, two
// generators whose clients place an order, and Schemathesis as a customer and as a manager. `--examples N` says how many
// cases Schemathesis makes up for each call (30). The exit code is 0 only if all of them are content.
import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  asyncApiParser,
  openapiPythonClient,
  openapiTypescript,
  redocly,
  schemathesis,
  type Check,
} from './conformance/checks.ts';
import { roles, startConformanceHouse } from './conformance/house.ts';
import { obtainTools } from './conformance/tools.ts';
import { startGuardian } from './guardian/start-guardian.ts';
import { interruption } from './interruption.ts';
import { comandaDir, programsDir } from './root.ts';
import { isRefusal } from './servers/refusal.ts';
import { serverVariables, startThrowAwayServers, type ServerUrls } from './servers/throw-away.ts';

const { values } = parseArgs({ options: { examples: { type: 'string', default: '30' } } });
const log = (line: string): void => console.error(line);
const checks: readonly (readonly [string, Check])[] = [
  ["Redocly's recommended rules", redocly],
  ["AsyncAPI's parser", asyncApiParser],
  ['openapi-typescript, and an order by its types', openapiTypescript],
  ['openapi-python-client, and an order by its client', openapiPythonClient],
  ...roles.map((role) => [`Schemathesis as ${role}`, schemathesis(role, Number(values.examples))] as const),
];

let stopHouse = async (): Promise<void> => {};

async function judge(): Promise<number> {
  mkdirSync(comandaDir, { recursive: true });
  const tools = await obtainTools(log);
  const given = Object.fromEntries(serverVariables.map((name) => [name, process.env[name]])) as Partial<ServerUrls>;
  log('starting the house');
  const dataDir = mkdtempSync(join(comandaDir, 'conformance-'));
  Object.assign(process.env, await startThrowAwayServers({ given, programsDir, dataDir, log, guardian }));
  const house = await startConformanceHouse(log);
  stopHouse = house.stop;
  let failed = 0;
  for (const [name, check] of checks) {
    const begun = performance.now();
    const { passed, said } = await check(house.gatewayUrl, tools);
    if (!passed) failed++;
    log(`${passed ? '✓' : '✗'} ${name} (${((performance.now() - begun) / 1000).toFixed(1)} s)`);
    if (said !== '') log(said.replaceAll(/^/gm, '    '));
  }
  log(failed === 0 ? 'All are content.' : `${failed} of ${checks.length} are not content.`);
  return failed === 0 ? 0 : 1;
}

const guardian = await startGuardian();
const interrupted = interruption().then(() => {
  log('interrupted');
  return 130;
});
const exitCode = await Promise.race([judge(), interrupted]).catch((error: unknown) => {
  console.error(isRefusal(error) ? error.message : error);
  return 1;
});
await stopHouse();
await guardian.finish();
process.exit(exitCode);
