import { refusal } from '@comanda/local-stack/servers/refusal';

const unreleased = '## [Unreleased]\n';

/**
 * Moves a changelog's unreleased entries under a heading for their version [Keep a Changelog 1.1.0].
 * @param day such as 2026-11-26
 * @throws Refusal if there is no heading "[Unreleased]" or no entry below it
 */
export function moveUnreleased(
  text: string,
  { path, version, day }: Record<'path' | 'version' | 'day', string>,
): string {
  const [before, after] = text.split(unreleased);
  if (before === undefined || after === undefined) throw refusal(`${path} has no line "## [Unreleased]".`);
  const [entries = ''] = after.split('\n## ');
  if (entries.trim() === '') throw refusal(`First write what users and operators notice below "Unreleased" in ${path}.`);
  return `${before}${unreleased}\n## [${version}] - ${day}\n${after}`;
}
