import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.ts';

export type ServiceImage = {
  /** What Node is started with. */
  flags: string[];
  /** The program, from the root of the repository. */
  main: string;
  env: Record<string, string>;
};

/**
 * How the image of a service runs it, so that what runs elsewhere runs alike.
 * @throws where its Dockerfile does not end in `CMD ["node", …]`
 */
export function serviceImage(service: string): ServiceImage {
  const lines = readFileSync(join(root, 'services', service, 'Dockerfile'), 'utf8').split('\n');
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));
  const after = (word: string): string[] =>
    last.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));
  const [node, ...args] = JSON.parse(after('CMD').at(-1) ?? '[]') as string[];
  const main = args.pop();
  if (node !== 'node' || main === undefined) throw new Error(`the image of ${service} does not run Node`);
  const settings = after('ENV').flatMap((line) => line.split(' '));
  return { flags: args, main, env: Object.fromEntries(settings.map((each) => each.split('=') as [string, string])) };
}
