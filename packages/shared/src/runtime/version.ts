import { readFileSync } from 'node:fs';

/** Returns the version of the package whose `src` or `dist` contains the module `moduleUrl`: pass `import.meta.url`. */
export function versionOf(moduleUrl: string): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', moduleUrl), 'utf8')) as { version: string };
  return version;
}
