import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.ts';

export type ServiceImage = {
  /** The flags for Node. */
  flags: string[];
  /** The path of the program that Node runs, relative to the repository. */
  main: string;
  /** The environment variables that are the same in all services' images. */
  env: Record<string, string>;
  /** The variables that only this image sets: the port, and the paths of the service's files. */
  ownEnv: Record<string, string>;
};

/**
 * Returns how a service's container image runs the service, so that npm start, tests and benchmarks can use the same flags. The
 * flags and the program are in the `start` script of the service's package.json, and the environment is in the Dockerfile.
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
  return {
    flags,
    main: `${folder}/${program}`,
    env: environmentOf('runtime'),
    ownEnv: environmentOf(`settings-of-${service}`),
  };
}

/** Returns the environment variables that one stage of the Dockerfile sets. */
function environmentOf(stage: string): Record<string, string> {
  const [, ...stages] = readFileSync(join(root, 'Dockerfile'), 'utf8').split(/^FROM /m);
  const lines = stages.find((each) => each.split('\n', 1)[0]?.endsWith(` AS ${stage}`))?.split('\n');
  if (!lines) throw new Error(`The Dockerfile has no stage "${stage}".`);
  const assignments = lines
    .filter((line) => line.startsWith('ENV '))
    .flatMap((line) => line.slice('ENV '.length).split(' '));
  return Object.fromEntries(assignments.map((each) => each.split('=') as [string, string]));
}
