// npm run new:endpoint: writes the parts of a new endpoint to their places: contract, use case, route, access, example, test.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { root } from '@comanda/local-stack/root';
import { isRefusal, refusal } from '@comanda/local-stack/servers/refusal';
import { defineCommand, readCommandLine } from './command-line.ts';
import { accesses, harnesses, placesOf, type Repository, type Wanted } from './new-endpoint/places.ts';

const command = defineCommand({
  name: 'npm run new:endpoint',
  script: 'new:endpoint',
  about: 'Writes a new endpoint with an empty answer, and its test. Asks for what is not given.',
  options: {
    service: { value: 'NAME', help: Object.keys(harnesses).join(', ') },
    folder: { value: 'NAME', help: "a folder of the service's src that has routes, such as orders or menu" },
    name: { value: 'NAME', help: 'what it does, verb first: list-waiting-orders' },
    method: { value: 'METHOD', help: 'GET, POST, PUT or DELETE' },
    path: { value: 'PATH', help: 'such as /orders/waiting or /orders/{id}/notes' },
    who: { value: 'WHO', help: `who may call: ${accesses.join(', ')}` },
  },
});
type Name = keyof typeof command.options;
const forms: Record<Name, RegExp> = {
  service: new RegExp(`^(${Object.keys(harnesses).join('|')})$`),
  folder: /^[a-z-]+$/,
  name: /^[a-z]+(-[a-z]+)+$/,
  method: /^(GET|POST|PUT|DELETE)$/,
  path: /^(\/([a-z-]+|\{[a-z_]+\}))+$/,
  who: new RegExp(`^(${accesses.join('|')})$`),
};

const repository: Repository = {
  read: (path) => readFileSync(join(root, path), 'utf8'),
  exists: (path) => existsSync(join(root, path)),
  findRoutes: (service, folder) => {
    const src = join(root, 'services', service, 'src');
    const routesIn = (each: string): string | undefined =>
      existsSync(join(src, each))
        ? readdirSync(join(src, each)).find((file) => file.endsWith('-routes.ts'))
        : undefined;
    const found = routesIn(folder);
    if (found !== undefined) return `services/${service}/src/${folder}/${found}`;
    const folders = readdirSync(src, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && routesIn(entry.name) !== undefined)
      .map((entry) => entry.name);
    throw refusal(`services/${service}/src/${folder} has no routes. These have: ${folders.join(', ')}`);
  },
};

async function readWanted(given: Partial<Record<Name, string>>): Promise<Wanted> {
  const wanted: Partial<Record<Name, string>> = {};
  const lines = process.stdin.isTTY ? createInterface(process.stdin, process.stdout) : null;
  for (const name of Object.keys(forms) as Name[]) {
    const { help } = command.options[name];
    const value = given[name] ?? (await lines?.question(`${name} (${help}): `)) ?? '';
    if (!forms[name].test(value)) throw refusal(`--${name} should be ${help}, instead got '${value}'.`);
    wanted[name] = value;
  }
  lines?.close();
  return wanted as Wanted;
}

try {
  const wanted = await readWanted(readCommandLine(command).values);
  const places = placesOf(wanted, repository);
  for (const [path, content] of Object.entries(places)) writeFileSync(join(root, path), content);
  const run = (...args: string[]): string => execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  run('--conditions=source', 'scripts/generate-docs.ts');
  run('node_modules/oxfmt/bin/oxfmt', ...Object.keys(places));
  console.log(nextSteps(wanted, Object.keys(places)));
} catch (error) {
  console.error(isRefusal(error) ? error.message : error);
  process.exitCode = 1;
}

function nextSteps({ service, folder, name }: Wanted, paths: readonly string[]): string {
  return `Written:
${paths.map((path) => `  ${path}`).join('\n')}
and what \`npm run docs\` generates. What is left for you:
  1. The contract: its answer, body, query and problems, and the summary.
  2. services/${service}/src/${folder}/${name}.ts: the steps. Take what it needs as a first argument, as its neighbours do;
     the route passes it on.
  3. services/${service}/test/${name}.test.ts: what it promises.
  4. The new lines of services/gateway/test/support/expected-access.ts and test/examples.test.ts: read them.
  5. npm run docs; npm run fix; npm run types
     npm test -- services/${service}/test/${name}.test.ts services/gateway/test/roles.test.ts test/examples.test.ts
     npm run check`;
}
