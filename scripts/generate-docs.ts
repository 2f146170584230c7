import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { generatedFiles } from './generated-docs.ts';
import { root } from '@comanda/local-stack/root';

let changed = 0;
for (const { path, current, wanted } of await generatedFiles()) {
  if (current === wanted) continue;
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), wanted);
  process.stdout.write(`${path}\n`);
  changed++;
}
if (changed === 0) console.error('All generated documents are up to date.');
