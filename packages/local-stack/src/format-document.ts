import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format } from 'oxfmt';
import { root } from './root.ts';

/** Formats `content` in the same way as the repository's file at `path`. @throws Error if it can't be parsed */
export async function formatDocument(path: string, content: string): Promise<string> {
  const settings = JSON.parse(await readFile(join(root, '.oxfmtrc.json'), 'utf8')) as Record<string, unknown>;
  const { $schema: _schema, ignorePatterns: _patterns, ...options } = settings;
  const { code, errors } = await format(path, content, options);
  if (errors.length > 0) throw new Error(`${path} can't be formatted: ${JSON.stringify(errors)}`);
  return code;
}
