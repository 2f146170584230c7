/** Adds names to the import from `module`, or adds such an import after the last one. */
export function addImport(source: string, module: string, names: readonly string[]): string {
  const escaped = module.replaceAll(/[.\\/*]/g, String.raw`\$&`);
  const found = new RegExp(`import \\{([^}]*)\\} from '${escaped}';`).exec(source);
  if (!found) return insertAfterImports(source, `import { ${names.join(', ')} } from '${module}';\n`);
  const [whole, list = ''] = found;
  const present = list
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  const all = [...present, ...names.filter((name) => !present.includes(name))];
  return source.replace(whole, `import { ${all.join(', ')} } from '${module}';`);
}

function insertAfterImports(source: string, line: string): string {
  const ends = [...source.matchAll(/^(?:import [^;]*?|\} )from '[^']+';\n/gm)];
  const last = ends.at(-1);
  const at = last ? last.index + last[0].length : 0;
  return source.slice(0, at) + line + source.slice(at);
}

/**
 * Inserts `text` before the first line after `from` that equals `line`.
 * @throws Error if there is none
 */
export function insertBefore(
  source: string,
  { line, text, from = 0 }: { line: string; text: string; from?: number },
): string {
  const at = source.indexOf(`\n${line}\n`, from);
  if (at < 0) throw new Error(`There is no line "${line}" to insert before.`);
  return `${source.slice(0, at + 1)}${text}${source.slice(at + 1)}`;
}
