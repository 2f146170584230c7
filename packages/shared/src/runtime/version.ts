import { readFileSync } from 'node:fs';

/** Returns the version of a package. `moduleUrl` is the `import.meta.url` of a module in the package's `src` or `dist`. */
export function versionOf(moduleUrl: string): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', moduleUrl), 'utf8')) as { version: string };
  return version;
}
