import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LocalImage } from '@comanda/local-stack/kubernetes/pod-process';
import { root } from '@comanda/local-stack/root';
import { serviceImage } from '@comanda/local-stack/service-image';
import { refusal } from '@comanda/local-stack/servers/refusal';
import { serviceNames, type ServiceName } from '@comanda/local-stack/stack-settings';

/** What stands for a registry: folders with what `npm run build` made of each service, by tag. */
export type Images = {
  /** Makes the image of a service: what was built here, which says of itself that it is this version. */
  publish: (service: ServiceName, tag: string) => void;
  find: (image: { name: string; tag: string }) => LocalImage | null;
};

/** @throws Refusal if the services are not built */
export function createImages(folder: string): Images {
  for (const service of serviceNames)
    if (!existsSync(join(root, serviceImage(service).main)))
      throw refusal(`${serviceImage(service).main} is missing. Build the services first:   npm run build`);
  const folderOf = (service: string, tag: string): string => join(folder, `${service}-${tag}`);
  return {
    publish: (service, tag) => {
      const to = folderOf(service, tag);
      const own = join('services', service);
      mkdirSync(join(to, own), { recursive: true });
      for (const name of ['node_modules', 'packages', 'apps', 'docs']) symlinkSync(join(root, name), join(to, name));
      for (const name of readdirSync(join(root, own)))
        if (name === 'dist') cpSync(join(root, own, name), join(to, own, name), { recursive: true });
        else if (name !== 'package.json') symlinkSync(join(root, own, name), join(to, own, name));
      const manifest = JSON.parse(readFileSync(join(root, own, 'package.json'), 'utf8')) as object;
      writeFileSync(join(to, own, 'package.json'), JSON.stringify({ ...manifest, version: tag }));
    },
    find: ({ name, tag }) => {
      const found = folderOf(name, tag);
      return existsSync(found) ? { ...serviceImage(name), root: found } : null;
    },
  };
}
