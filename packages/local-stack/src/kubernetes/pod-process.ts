import { join } from 'node:path';
import type { ServiceImage } from '../service-image.ts';
import { onThisMachine } from './addresses.ts';
import { containerOf, type Pod } from './pod.ts';

/** What stands for an image on this machine. */
export type LocalImage = ServiceImage & {
  /** The copy of this repository in which it was built: what is `/repo` in the image. */
  root: string;
};
type Given = {
  pod: Pod;
  /** As Kubernetes has it. */
  address: string;
  /** The folder of this pod, with one folder for each volume. */
  folder: string;
  image: LocalImage;
  /** The addresses of Services as Kubernetes has them, by name: what DNS would answer. */
  services: ReadonlyMap<string, string>;
};
export type PodProcess = { command: string; args: string[]; cwd: string; env: Record<string, string> };

/** The name and the tag of an image: `orders` and `1.0.0` of `registry.example.com/comanda/orders:1.0.0`. */
export function readImage(image: string): { name: string; tag: string } {
  const [, name = '', tag = 'latest'] = /([^/:@]+)(?:@(.+)|:([^/]+))?$/.exec(image)?.filter(Boolean) ?? [];
  return { name, tag };
}

/**
 * The process that a pod is on this machine. Where the container has a file system, a network and a DNS of its own, its
 * settings are rewritten: paths to those of this machine, 0.0.0.0 to the pod's address, names of Services to theirs.
 */
export function processOf({ pod, address, folder, image, services }: Given): PodProcess {
  const container = containerOf(pod);
  const working = join(image.root, image.main.replace(/\/dist\/.*$/, ''));
  const [program, ...args] = container.command ?? ['node', ...image.flags, join(image.root, image.main)];
  const mounts = (container.volumeMounts ?? []).map(
    ({ name, mountPath }) => [`${mountPath}/`, `${join(folder, name)}/`] as const,
  );
  const paths = [...mounts, ['/repo/', `${image.root}/`] as const];
  function onMachine(value: string): string {
    const [from, to] = paths.find(([start]) => value.startsWith(start)) ?? ['', ''];
    if (value === '0.0.0.0') return onThisMachine(address);
    return (to + value.slice(from.length)).replace(/(?<=:\/\/)[a-z0-9-]+(?=[:/]|$)/, (host) => {
      const found = services.get(host);
      return found === undefined ? host : onThisMachine(found);
    });
  }
  const own = (container.env ?? []).map(({ name, value = '' }) => [name, value] as const);
  const settings = Object.entries({ ...image.env, ...image.ownEnv, ...Object.fromEntries(own) });
  return {
    command: program === 'node' ? process.execPath : (program ?? ''),
    args: [...args, ...(container.args ?? [])],
    cwd: working,
    env: {
      HOSTNAME: pod.metadata.name,
      ...Object.fromEntries(settings.map(([name, value]) => [name, onMachine(value)])),
    },
  };
}
