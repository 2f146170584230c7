import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isForBrowsers, type AnyEndpoint } from '@comanda/contracts/endpoint';
import { endpoints } from '@comanda/contracts/registry';
import type { Documentation } from '@comanda/contracts/schema';
import { root } from '@comanda/local-stack/root';

const contractsDir = join(root, 'packages/contracts/src');
type Export = { module: string; key: string };

/** Finds each contract's module and exported name. */
async function findExports(): Promise<Map<unknown, Export>> {
  const files = (await readdir(contractsDir)).filter((name) => /^[a-z-]+\.ts$/.test(name)).toSorted();
  const exports = new Map<unknown, Export>();
  for (const file of files) {
    const module = file.slice(0, -'.ts'.length);
    const exported = (await import(join(contractsDir, file))) as Record<string, unknown>;
    for (const [key, value] of Object.entries(exported)) if (!exports.has(value)) exports.set(value, { module, key });
  }
  return exports;
}

const camelCase = (module: string): string =>
  module.replaceAll(/-([a-z])/g, (_match, letter: string) => letter.toUpperCase());

/** The collections of the client whose rows a response may contain, by the name of the response's schema. */
const collections: Readonly<Record<string, string>> = {
  Order: 'orders',
  Bill: 'bills',
  MenuItem: 'menu',
  OptionGroup: 'option_groups',
  Table: 'tables',
  Call: 'calls',
  Station: 'stations',
  Ordering: 'ordering',
  Stops: 'stops',
  Restaurant: 'restaurant',
};
/** Returns the collection whose row a response contains; undefined if there is none. */
function rowOf({ responses }: AnyEndpoint): string | undefined {
  const described = (responses[200] ?? responses[201])?.body?.describe() as { metas?: Documentation[] } | undefined;
  return described?.metas?.flatMap(({ name }) => (name && collections[name]) ?? [])[0];
}

function routeOf(contract: AnyEndpoint): string {
  const { method, path, who, body, upload, responses, idempotencyKey, stepUp } = contract;
  const row = rowOf(contract);
  const route = {
    endpoint: `${method} ${path}`,
    ...(who === 'anyone' && { isPublic: true }),
    ...(body && { sends: 'body' }),
    ...(upload && { sends: 'file' }),
    ...(responses[204] && { responses: 204 }),
    ...(row !== undefined && { row }),
    ...(idempotencyKey && { idempotencyKey }),
    ...(stepUp && { stepUp: 'required' }),
  };
  return JSON.stringify(route);
}

/**
 * Returns the text of `packages/client/src/calls/calls.ts`, with the contracts' types and the routes that the client needs at run
 * time.
 */
export async function clientCalls(): Promise<string> {
  const exports = await findExports();
  const contracts = endpoints.filter((contract) => !isForBrowsers(contract));
  const entries = contracts.map((contract) => {
    const entry = exports.get(contract);
    if (!entry) throw new Error(`${contract.name} is in the registry, but no module of packages/contracts exports it`);
    return { contract, ...entry };
  });
  const modules = [...new Set(entries.map(({ module }) => module))].toSorted();
  return `// Generated from the contracts by \`npm run docs\`. Do not edit.
${modules.map((module) => `import type * as ${camelCase(module)} from '@comanda/contracts/${module}';`).join('\n')}
import type { Route } from './route.ts';

/** The contract of each call, as a type. */
export type Calls = {
${entries.map(({ contract, module, key }) => `/** ${contract.summary}. */\n  ${contract.name}: typeof ${camelCase(module)}.${key};`).join('\n')}
};

/** Where each call goes. */
export const routes: { readonly [N in keyof Calls]: Route } = {
${contracts.map((contract) => `${contract.name}: ${routeOf(contract)},`).join('\n')}
};
`;
}

/**
 * Returns the text of `packages/client/src/calls/step-up-rules.ts`: what the authorization of each sensitive call must contain. It is
 * a file of its own, because the client loads it only when the server requires an authorization.
 */
export function stepUpRules(): string {
  const rules = endpoints.flatMap(({ name, stepUp }) =>
    stepUp ? [`${name}: ${JSON.stringify({ key: stepUp.key, details: stepUp.details })},`] : [],
  );
  return `// Generated from the contracts by \`npm run docs\`. Do not edit.
import type { DetailsRule } from '@comanda/contracts/agreed-details';
import type { Calls } from './calls.ts';

/** The endpoint key that the step-up token of a call must have, and the rule for its details. */
export type StepUpRule = { readonly key: string; readonly details: DetailsRule };

/** Calls that need no authorization have no rule. */
export const stepUpRules: { readonly [N in keyof Calls]?: StepUpRule } = {
${rules.join('\n')}
};
`;
}
