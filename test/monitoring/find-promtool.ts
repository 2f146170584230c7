import { join } from 'node:path';
import { programsDir } from '@comanda/local-stack/root';
import { onPath } from '@comanda/local-stack/servers/command';
import { withDownloads } from '@comanda/local-stack/servers/downloads';
import { thisSystem } from '@comanda/local-stack/servers/ways-out';

/** True if promtool is installed or can be downloaded as a Debian package. On other systems, you must install it yourself. */
export const hasPromtool = onPath('promtool') !== undefined || thisSystem.hasApt;

/** Returns the path of promtool. Downloads it if it isn't installed. */
export async function findPromtool(): Promise<string> {
  const installed = onPath('promtool');
  if (installed !== undefined) return installed;
  const unpacked = await withDownloads({ programsDir, log: () => undefined }, ({ cached, debianPackages }) =>
    cached('prometheus', (to) => debianPackages(['prometheus'], to)),
  );
  return join(unpacked, 'usr/bin/promtool');
}
