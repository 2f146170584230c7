import type { AnyEndpoint, Method } from '@comanda/contracts/endpoint';
import { endpoints } from '@comanda/contracts/registry';
import { internalEndpoints } from '@comanda/contracts/internal';
import { refusal } from '@comanda/local-stack/servers/refusal';
import { addImport, insertBefore } from './edits.ts';

/** Who may call the endpoint, in the terms of `services/gateway/test/support/expected-access.ts`. */
export const accesses = ['everyone', 'signed in', 'account', 'staff', 'manager'] as const;
export type Wanted = {
  service: keyof typeof harnesses;
  /** A folder with routes in the service's `src`. */
  folder: string;
  /** The name with the verb first and with dashes: `list-waiting-orders`. */
  name: string;
  method: Method;
  path: string;
  who: (typeof accesses)[number];
};
/** The repository as this command sees it. Paths are relative to its root. */
export type Repository = {
  read: (path: string) => string;
  exists: (path: string) => boolean;
  /**
   * Returns the path of a folder's routes file.
   * @throws Refusal if it has none
   */
  findRoutes: (service: string, folder: string) => string;
};

/** How each service's tests start it and call it as a manager. */
export const harnesses = {
  orders: { start: (name: string) => `startOrdersHarness('${name}')`, manager: 'harness.manager' },
  'auth-stepup': { start: () => 'startAuthStepupHarness()', manager: 'harness.as(await harness.manager())' },
  transfers: { start: (name: string) => `startTransfersHarness('${name}')`, manager: 'harness.manager.call' },
};

const expectedAccess = 'services/gateway/test/support/expected-access.ts';
const examples = 'test/examples.test.ts';
const paramsOf = (path: string): string => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).join();

/** Replaces the parameters in a path: paths with the same result match the same requests. */
const shapeOf = (path: string): string => path.replaceAll(/\{\w+\}/g, '{}');

/**
 * Returns the content of each file after the endpoint is added.
 * @throws Refusal if the endpoint exists or a neighbour is missing
 */
export function placesOf(wanted: Wanted, repository: Repository): Record<string, string> {
  const { service, folder, name, method, path } = wanted;
  const known = [...endpoints, ...internalEndpoints];
  const same = known.find((each) => each.method === method && shapeOf(each.path) === shapeOf(path));
  if (same) throw refusal(`${method} ${same.path} exists.`);
  const fn = camelCase(name);
  if (known.some((each) => each.name === fn)) throw refusal(`There is an endpoint with the name ${fn}.`);
  const routes = repository.findRoutes(service, folder);
  const useCasePath = `services/${service}/src/${folder}/${name}.ts`;
  const testPath = `services/${service}/test/${name}.test.ts`;
  const taken = [useCasePath, testPath].find(repository.exists);
  if (taken !== undefined) throw refusal(`${taken} exists: choose another --name.`);
  const routesSource = repository.read(routes);
  const neighbours = contractsIn(routesSource);
  const contract = `packages/contracts/src/${neighbours.module}.ts`;
  const params = neighbourWithParams(wanted);
  return {
    [contract]: withContract(repository.read(contract), { wanted, fn, params, listedWith: neighbours.names }),
    [useCasePath]: useCase(wanted, fn, neighbours.module),
    [routes]: withRoute(routesSource, { wanted, fn, module: neighbours.module, alias: neighbours.alias }),
    [expectedAccess]: withAccess(repository.read(expectedAccess), wanted),
    [examples]: withArrangement(repository.read(examples), { wanted, fn, params }),
    [testPath]: test(wanted),
  };
}

const camelCase = (name: string): string => name.replaceAll(/-(\w)/g, (_all, letter: string) => letter.toUpperCase());
/** Converts `list-waiting-orders` to `List waiting orders`. */
const sentence = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('-', ' ')}`;
const isRead = ({ method }: Wanted): boolean => method === 'GET';

/** Returns the contracts module from which a routes file imports its endpoints, and their names. */
function contractsIn(source: string): { module: string; alias: string | null; names: string[] } {
  const [, alias, all] = /import \* as (\w+) from '@comanda\/contracts\/(\w+)';/.exec(source) ?? [];
  if (alias !== undefined && all !== undefined) {
    const names = [...source.matchAll(new RegExp(`handle\\(\\s*${alias}\\.(\\w+)`, 'g'))].map(([, each = '']) => each);
    return { module: all, alias, names };
  }
  const [, list = '', module = ''] = /import \{([^}]*)\} from '@comanda\/contracts\/(\w+)';/.exec(source) ?? [];
  return { module, alias: null, names: list.split(',').map((each) => each.trim()) };
}

/** Finds an endpoint in the same service whose path has the same parameters. Null if the path has none. */
function neighbourWithParams({ service, path }: Wanted): AnyEndpoint | null {
  const names = paramsOf(path);
  if (names === '') return null;
  const alike = endpoints.filter((each) => each.service === service && paramsOf(each.path) === names);
  const [found] = alike.toSorted((a, b) => commonStart(b.path, path) - commonStart(a.path, path));
  if (found) return found;
  throw refusal(`No path of ${service} has the parameters {${names}}. Its paths:\n${pathsOf(service).join('\n')}`);
}
const pathsOf = (service: string): string[] =>
  endpoints.filter((each) => each.service === service).map((each) => `  ${each.method} ${each.path}`);
function commonStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}

type Addition = { wanted: Wanted; fn: string; params: AnyEndpoint | null };

function withContract(source: string, { wanted, fn, params, listedWith }: Addition & { listedWith: string[] }): string {
  const { service, method, path, who } = wanted;
  const lists = [...source.matchAll(/^export const (\w+) = \[([^\]]*)\];$/gm)];
  const found = lists.find(([, , members = '']) => listedWith.some((each) => members.split(/[\s,]+/).includes(each)));
  if (!found) throw refusal(`No list of the contracts has ${listedWith.join(' or ')}.`);
  const [whole, list = '', members = ''] = found;
  const roles = who === 'everyone' ? "'anyone'" : who === 'staff' || who === 'manager' ? who : 'roles';
  const response = isRead(wanted)
    ? "200: { about: 'An empty list, until this is written', body: list(object({ id: id() })).example([]) }"
    : "204: { about: 'Nothing, until this is written', body: null }";
  const lines = [
    `service: '${service}'`,
    `method: '${method}'`,
    `path: '${path}'`,
    `name: '${fn}'`,
    `who: ${roles}`,
    ...(who === 'account' ? ["account: 'required'"] : []),
    `summary: '${sentence(wanted.name)}'`,
    ...(params ? [`params: ${paramsText(source, params)}`] : []),
    `responses: { ${response} }`,
    'problems: []',
  ];
  const text = `export const ${fn} = endpoint({\n${lines.map((line) => `  ${line},\n`).join('')}});\n\n`;
  const added = `export const ${list} = [${members.trimEnd().replace(/,$/, '')}, ${fn}];`;
  const withList = source.replace(whole, () => text + added);
  const withRoles = roles === "'anyone'" ? withList : addImport(withList, './endpoint.ts', [roles]);
  return isRead(wanted) ? addImport(withRoles, './schema.ts', ['id', 'list', 'object']) : withRoles;
}

/** Returns an endpoint's parameters as its contract writes them. */
function paramsText(source: string, { name, path }: AnyEndpoint): string {
  const [, text] =
    new RegExp(`path: '${path.replaceAll(/[{}]/g, String.raw`\$&`)}',[^;]*?params: (.+),\\n`).exec(source) ?? [];
  if (text === undefined) throw refusal(`The contract of ${name} is in another file: take a folder beside it.`);
  return text;
}

function useCase(wanted: Wanted, fn: string, module: string): string {
  const { method, path } = wanted;
  const contract = `import type { ${fn} as contract } from '@comanda/contracts/${module}';`;
  const call = "import type { Call } from '@comanda/shared/http/api';";
  if (!isRead(wanted))
    return `${contract}
${call}

/** \`${method} ${path}\`. To be written: it changes nothing yet. */
export async function ${fn}(_call: Call<typeof contract>): Promise<void> {}
`;
  return `import type { ResponseOf } from '@comanda/contracts/endpoint';
${contract}
${call}

/** \`${method} ${path}\`. To be written: the list is empty until then. */
export async function ${fn}(_call: Call<typeof contract>): Promise<ResponseOf<typeof contract>> {
  return [];
}
`;
}

type Route = { wanted: Wanted; fn: string; module: string; alias: string | null };

function withRoute(source: string, { wanted, fn, module, alias }: Route): string {
  const contract = alias === null ? `${fn}Contract` : `${alias}.${fn}`;
  const reply = isRead(wanted)
    ? `({ status: 200, body: await ${fn}(call) })`
    : `{\n    await ${fn}(call);\n    return { status: 204 };\n  }`;
  const text = `  handle(${contract}, async (call) => ${reply});\n`;
  const withLine = insertBefore(source, { line: '}', text, from: source.lastIndexOf('handle(') });
  const withUseCase = addImport(withLine, `./${wanted.name}.ts`, [fn]);
  return alias === null
    ? addImport(withUseCase, `@comanda/contracts/${module}`, [`${fn} as ${fn}Contract`])
    : withUseCase;
}

const withAccess = (source: string, { method, path, who }: Wanted): string =>
  insertBefore(source, {
    line: '};',
    text: `  '${method} ${path}': '${who}',\n`,
    from: source.indexOf('export const expectedAccess'),
  });

function withArrangement(source: string, { wanted, fn, params }: Addition): string {
  const from = source.indexOf('const arrangements');
  const arranged =
    params &&
    new RegExp(`^  ${params.name}: (\\w+|async [^\\n]*[^{\\n]|async [^]*?\\n  \\}),\\n`, 'm').exec(source.slice(from));
  if (params && !arranged) throw refusal(`${examples} has no arrangement of ${params.name}.`);
  const arrangement = arranged?.[1] ?? (wanted.who === 'everyone' ? '() => ({})' : 'asManager');
  return insertBefore(source, { line: '};', text: `  ${fn}: ${arrangement},\n`, from });
}

function test(wanted: Wanted): string {
  const { service, name, method, path } = wanted;
  const { start, manager } = harnesses[service];
  const started = start(`${service}-${name}`);
  const startName = started.slice(0, started.indexOf('('));
  const type = startName.replace('start', '');
  const call = manager.startsWith('harness.as') ? `(${manager})` : manager;
  const outcome = isRead(wanted) ? 'returns an empty list' : 'changes nothing';
  const expected = isRead(wanted) ? '[200, []]' : '[204, undefined]';
  return `import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ${startName}, type ${type} } from './support/harness.ts';

let harness: ${type};
beforeAll(async () => {
  harness = await ${started};
});
afterAll(() => harness.close());

test('${method} ${path} ${outcome} until it is written', async () => {
  const { status, body } = await ${call}('${method}', '${path.replaceAll(/\{\w+\}/g, '1')}');

  expect([status, body]).toEqual(${expected});
});
`;
}
