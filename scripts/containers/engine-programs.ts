import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { withDownloads } from '@comanda/local-stack/servers/downloads';
import { programsDir } from '@comanda/local-stack/root';
import { privateEnvironment } from '@comanda/local-stack/servers/private-libraries';

export type EnginePrograms = {
  /** What was unpacked. */
  root: string;
  /** For the engine. */
  env: NodeJS.ProcessEnv;
  /** For `docker`, and what calls it. */
  clientEnv: NodeJS.ProcessEnv;
};

/** The first release of Debian with Docker 25 or newer. These programs are linked with nothing that is not on older systems too. */
const ofTrixie = ['docker.io', 'docker-cli', 'docker-buildx', 'docker-compose', 'containerd'];
/** These are linked with this system's libraries. */
const ofThisSystem = ['runc', 'iptables', 'slirp4netns', 'tini'];

/**
 * Docker, downloaded as packages of Debian, which apt checks by Debian's signature.
 * @throws Refusal if they can't be downloaded
 */
export async function findEnginePrograms(log: (line: string) => void): Promise<EnginePrograms> {
  const root = await withDownloads({ programsDir, log }, ({ cached, debianPackages }) =>
    cached('docker', async (into) => {
      await debianPackages(ofTrixie, into, 'trixie');
      await debianPackages(ofThisSystem, into);
      // Debian makes these links when it installs the package.
      for (const name of ['iptables', 'ip6tables']) symlinkSync('xtables-nft-multi', join(into, 'usr/sbin', name));
    }),
  );
  const withPath = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
    ...env,
    PATH: [join(root, 'usr/sbin'), join(root, 'usr/bin'), '/usr/sbin', '/sbin', env['PATH']].filter(Boolean).join(':'),
  });
  const ofLibraries = privateEnvironment(root);
  const libraries = ofLibraries['LD_LIBRARY_PATH']?.split(':') ?? [];
  const extensions = libraries.map((folder) => join(folder, 'xtables')).find((folder) => existsSync(folder));
  return {
    root,
    env: withPath({ ...ofLibraries, XTABLES_LIBDIR: extensions }), // of iptables
    clientEnv: withPath(process.env),
  };
}
