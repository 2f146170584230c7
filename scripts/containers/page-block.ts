import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@comanda/local-stack/root';
import { refusal } from '@comanda/local-stack/servers/refusal';

const pages = {
  secrets: 'docs/run/one-server.md',
  prepare: 'docs/run/least-privilege.md',
  rabbitmq: 'docs/run/least-privilege.md',
} as const;

/** Returns the commands in a code block that starts with ```sh and this name, from an operators' page. */
export function pageBlock(name: keyof typeof pages): string {
  const page = pages[name];
  const [, block] = new RegExp(`\`\`\`sh ${name}\\n([^]*?)\`\`\``).exec(readFileSync(join(root, page), 'utf8')) ?? [];
  if (block === undefined) throw refusal(`${page} has no block that begins with: \`\`\`sh ${name}`);
  return block;
}
