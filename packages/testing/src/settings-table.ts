import { readFileSync } from 'node:fs';
import type { Settings } from '@comanda/shared/config/load-config';

type Listed = { name: string; byDefault?: string };

/**
 * The settings that the tables of a README list in their first column, sorted by name. A default in parentheses is
 * included if it is a number or in backticks.
 */
export function settingsInReadme(readme: URL): Listed[] {
  const rows = readFileSync(readme, 'utf8').split('\n');
  const cells = rows.flatMap((row) => /^\|([^|]*`[A-Z][A-Z_]+`[^|]*)\|/.exec(row)?.[1] ?? []);
  const listed = cells.flatMap((cell) => [
    ...cell.matchAll(/`(?<name>[A-Z][A-Z_]+)`(?: \((?:`(?<text>[^`]+)`|(?<number>[\d,]+))\))?/g),
  ]);
  return sorted(
    listed.map(({ groups = {} }) =>
      withDefault(groups['name'] ?? '', groups['text'] ?? groups['number']?.replaceAll(',', '')),
    ),
  );
}

/** The same of the settings themselves; a default only for those that the README gives one for. */
export function settingsOf(settings: Settings, readme: URL): Listed[] {
  const documented = new Map(settingsInReadme(readme).map((listed) => [listed.name, listed.byDefault]));
  return sorted(
    Object.values(settings).map(({ env, schema }) => {
      const isDocumented = documented.get(env) !== undefined;
      const value = schema.validate(undefined).value as string | number | boolean | readonly string[] | undefined;
      return withDefault(env, isDocumented && value !== undefined ? [value].flat().join(',') : undefined);
    }),
  );
}

const withDefault = (name: string, byDefault: string | undefined): Listed =>
  byDefault === undefined ? { name } : { name, byDefault };
const sorted = (listed: readonly Listed[]): Listed[] => listed.toSorted((a, b) => (a.name < b.name ? -1 : 1));
