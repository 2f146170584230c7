import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { AnyEndpoint } from '@comanda/contracts/endpoint';
import { endpoints } from '@comanda/contracts/registry';
import { root } from './root.ts';

const contractsDir = join(root, 'packages/contracts/src');
type Found = { module: string; key: string };

/** Under which name of which module each contract of the registry stands. */
async function findContracts(): Promise<Map<unknown, Found>> {
  const files = (await readdir(contractsDir)).filter((name) => /^[a-z-]+\.ts$/.test(name)).toSorted();
  const found = new Map<unknown, Found>();
  for (const file of files) {
    const module = file.slice(0, -'.ts'.length);
    const exported = (await import(join(contractsDir, file))) as Record<string, unknown>;
    for (const [key, value] of Object.entries(exported)) if (!found.has(value)) found.set(value, { module, key });
  }
  return found;
}

const camelCase = (module: string): string =>
  module.replaceAll(/-([a-z])/g, (_match, letter: string) => letter.toUpperCase());

function routeOf({ method, path, who, body, idempotencyKey, stepUp }: AnyEndpoint): string {
  const facts = {
    at: `${method} ${path}`,
    ...(who !== 'anyone' && { needs: 'token' }),
    ...(body && { takes: 'body' }),
    ...(idempotencyKey && { idempotencyKey }),
    ...(stepUp && { stepUp }),
  };
  return JSON.stringify(facts);
}

/** `packages/client/src/calls.ts`: the contracts' types, and the few facts that the client needs at run time. */
export async function clientCalls(): Promise<string> {
  const found = await findContracts();
  // The client's user reads pages in a browser.
  const called = endpoints.filter(({ answers }) => !answers[200]?.page || answers[200].body);
  const places = called.map((contract) => {
    const place = found.get(contract);
    if (!place) throw new Error(`${contract.name} is in the registry and in no module of the contracts`);
    return { contract, ...place };
  });
  const modules = [...new Set(places.map(({ module }) => module))].toSorted();
  return `// Made from the contracts by \`npm run docs\`; what you write here is overwritten.
${modules.map((module) => `import type * as ${camelCase(module)} from '@comanda/contracts/${module}';`).join('\n')}
import type { Route } from './route.ts';

/** The contract of each call, as a type. */
export type Calls = {
${places.map(({ contract, module, key }) => `/** ${contract.summary}. */\n  ${contract.name}: typeof ${camelCase(module)}.${key};`).join('\n')}
};

/** Where each call goes. */
export const routes: { readonly [N in keyof Calls]: Route } = {
${called.map((contract) => `${contract.name}: ${routeOf(contract)},`).join('\n')}
};
`;
}
