// Builds the published client package into `dist` or the given folder. The package contains JavaScript without the contracts'
// validators, the types of the client and the contracts, and its own package.json. `npm run pack-client` packs it.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix, resolve } from 'node:path';
import { build } from 'esbuild';

const here = import.meta.dirname;
const into = resolve(process.argv[2] ?? join(here, 'dist'));
const collections = readdirSync(join(here, 'src/collections')).filter((file) => !file.endsWith('.test.ts'));
const entries = {
  index: 'src/index.ts',
  core: 'src/client.ts',
  consent: 'src/calls/details-of-call.ts',
  'live-bills': 'src/live-bills.ts',
  outbox: 'src/outbox.ts',
  transitions: 'src/live/allowed-transitions.ts',
  ...Object.fromEntries(collections.map((file) => [`collections/${file.slice(0, -3)}`, `src/collections/${file}`])),
};
/** The module that replaces joi in the type declarations. Callers only need the types of the values that a schema accepts. */
const schemaTypes = 'contracts/src/schema-types';
const schemaTypesText = `export interface AnySchema<T = unknown> {
  readonly '~value'?: T;
}
export type ArraySchema<T = unknown> = AnySchema<T>;
export type BooleanSchema<T = boolean> = AnySchema<T>;
export type NumberSchema<T = number> = AnySchema<T>;
export type ObjectSchema<T = unknown> = AnySchema<T>;
export type StringSchema<T = string> = AnySchema<T>;
`;

const { name, version, license, type, sideEffects, exports, dependencies } = JSON.parse(
  readFileSync(join(here, 'package.json'), 'utf8'),
);
const fromOthers = Object.fromEntries(Object.entries(dependencies).filter(([each]) => !each.startsWith('@comanda/')));
const manifest = {
  name,
  version,
  description: 'A typed client for the Comanda API',
  license,
  type,
  sideEffects,
  exports: Object.fromEntries(Object.entries(exports).map(([path, targets]) => [path, withoutSource(targets)])),
  engines: { node: '>=22' },
  dependencies: fromOthers,
};

rmSync(into, { recursive: true, force: true });
await build({
  absWorkingDir: here,
  entryPoints: entries,
  outdir: into,
  bundle: true,
  splitting: true,
  format: 'esm',
  target: ['safari15.4', 'chrome100', 'firefox100', 'node22'],
  conditions: ['source'],
  external: Object.keys(fromOthers),
  logLevel: 'warning',
});
writeTypes();
copyFileSync(join(here, 'README.md'), join(into, 'README.md'));
copyFileSync(join(here, '../../LICENSE'), join(into, 'LICENSE'));
writeFileSync(join(into, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);

/** Returns a package export without its `source` entry, and with paths relative to the package. Sources aren't published. */
function withoutSource({ types, default: code }) {
  return { types: types.replace('/dist/', '/'), default: code.replace('/dist/', '/') };
}

/**
 * Writes the type declarations for the package's entry points and for every module that they import. Imports of contracts
 * become relative paths.
 */
function writeTypes() {
  const emitted = mkdtempSync(join(tmpdir(), 'comanda-client-'));
  try {
    const tsc = join(here, '../../node_modules/.bin/tsc');
    const { status } = spawnSync(tsc, ['-p', join(here, 'tsconfig.build.json'), '--outDir', emitted], {
      stdio: 'inherit',
    });
    if (status !== 0) throw new Error('The types of the client cannot be built; see the message above.');
    const reached = new Set(Object.values(entries).map((path) => `client/${path.replace(/\.ts$/, '')}`));
    for (const module of reached) {
      const text = readFileSync(join(emitted, `${module}.d.ts`), 'utf8');
      const linked = text.replaceAll(/(?<=from |import\()(['"])([^'"]+)\1/g, (all, quote, specifier) => {
        const target = moduleOf(specifier, module);
        if (target === undefined) return all;
        if (target !== schemaTypes) reached.add(target);
        return `${quote}${relativePath(module, target)}.js${quote}`;
      });
      writeDeclaration(module, linked.replaceAll(/import (?:type )?Joi from/g, 'import type * as Joi from'));
    }
    writeDeclaration(schemaTypes, schemaTypesText);
  } finally {
    rmSync(emitted, { recursive: true, force: true });
  }
}
function writeDeclaration(module, text) {
  const file = join(into, 'types', `${module}.d.ts`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
/** Returns the module in this repository that `importer` imports as `specifier`, or undefined for an external package. */
function moduleOf(specifier, importer) {
  if (specifier === 'joi') return schemaTypes;
  const [, contract] = /^@comanda\/contracts\/(.+)$/.exec(specifier) ?? [];
  if (contract !== undefined) return `contracts/src/${contract}`;
  return specifier.startsWith('.') ? posix.join(dirname(importer), specifier.replace(/\.[jt]s$/, '')) : undefined;
}
function relativePath(from, to) {
  const path = posix.relative(dirname(from), to);
  return path.startsWith('.') ? path : `./${path}`;
}
