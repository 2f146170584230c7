import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@comanda/local-stack/root';
import { refusal } from '@comanda/local-stack/servers/refusal';

/** The commands of docs/deployment.md in the block that begins with ```sh and this name. */
export function pageBlock(name: 'secrets' | 'prepare' | 'rabbitmq'): string {
  const page = readFileSync(join(root, 'docs/deployment.md'), 'utf8');
  const [, block] = new RegExp(`\`\`\`sh ${name}\\n([^]*?)\`\`\``).exec(page) ?? [];
  if (block === undefined) throw refusal(`docs/deployment.md has no block that begins with: \`\`\`sh ${name}`);
  return block;
}
