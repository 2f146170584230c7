import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.ts';

export type ServiceImage = {
  /** The flags for Node. */
  flags: string[];
  /** The path of the program, relative to the repository. */
  main: string;
  env: Record<string, string>;
};

/**
 * How the image of a service runs it, so that npm start, tests and benches run it with the same flags. The flags and the
 * program are the `start` script of the service's package.json; the environment is in the Dockerfile.
 * @throws Error if there is no such service, or its `start` script is not `node [flags] <program>`
 */
export function serviceImage(service: string): ServiceImage {
  const folder = `services/${service}`;
  const { scripts } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
    scripts: { start: string };
  };
  const [node, ...flags] = scripts.start.split(' ');
  const program = flags.pop();
  if (node !== 'node' || program === undefined)
    throw new Error(`The start script of ${service} must be "node [flags] <program>", but is "${scripts.start}".`);
  return { flags, main: `${folder}/${program}`, env: imageEnvironment() };
}

/** The variables that the last stage of the Dockerfile sets. */
function imageEnvironment(): Record<string, string> {
  const lines = readFileSync(join(root, 'Dockerfile'), 'utf8').split('\n');
  const lastStage = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));
  const assignments = lastStage
    .filter((line) => line.startsWith('ENV '))
    .flatMap((line) => line.slice('ENV '.length).split(' '));
  return Object.fromEntries(assignments.map((each) => each.split('=') as [string, string]));
}
