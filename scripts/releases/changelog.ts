import { refusal } from '@comanda/local-stack/servers/refusal';

const unreleased = '## Unreleased\n';

/**
 * A changelog in which what was unreleased stands below its version [Keep a Changelog 1.1.0].
 * @param day as in 2026-11-26
 * @throws Refusal if it has no heading "Unreleased", or nothing below it
 */
export function moveUnreleased(
  text: string,
  { path, version, day }: Record<'path' | 'version' | 'day', string>,
): string {
  const [before, after] = text.split(unreleased);
  if (before === undefined || after === undefined) throw refusal(`${path} has no line "## Unreleased".`);
  const [lines = ''] = after.split('\n## ');
  if (lines.trim() === '') throw refusal(`Write what users and operators notice below "Unreleased" in ${path} first.`);
  return `${before}${unreleased}\n## ${version}, ${day}\n${after}`;
}
