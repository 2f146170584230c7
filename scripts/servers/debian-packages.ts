import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { lastLines, onPath, run } from './command.ts';
import { refusal } from './refusal.ts';

/**
 * Unpacks Debian packages, with those of their dependencies that this system lacks, into a folder, as any user: apt works
 * with lists and a cache of its own in `scratch`, reads the system's status and sources, and installs nothing.
 */
export type UnpackDebianPackages = (packages: readonly string[], folder: string) => Promise<void>;

export function debianPackages(scratch: string): UnpackDebianPackages {
  let lists: Promise<string> | undefined;
  return async (packages, folder) => {
    if (!onPath('apt-get') || !onPath('dpkg-deb'))
      throw refusal('only Debian and Ubuntu have packages that can be used');
    lists ??= updateLists(scratch);
    const warnings = await lists;
    const archives = join(scratch, 'archives', packages.join('+').slice(0, 40));
    mkdirSync(join(archives, 'partial'), { recursive: true });
    await download({ packages, archives, scratch, warnings });
    for (const file of readdirSync(archives).filter((name) => name.endsWith('.deb')))
      // eslint-disable-next-line no-await-in-loop -- packages share folders
      await unpack(join(archives, file), folder);
  };
}

/** `apt-get update` ends with 0 when it reached nothing: what it said belongs to the error that follows from it. */
async function updateLists(scratch: string): Promise<string> {
  mkdirSync(join(scratch, 'lists', 'partial'), { recursive: true });
  const { code, output } = await run({ command: 'apt-get', args: ['-q', ...privately(scratch), 'update'] });
  const problems = output.split('\n').filter((line) => /^[EW]:/.test(line));
  if (code !== 0) throw refusal(`apt-get update failed:\n${lastLines(problems.join('\n') || output)}`);
  return problems.join('\n');
}

async function download(options: {
  packages: readonly string[];
  archives: string;
  scratch: string;
  warnings: string;
}): Promise<void> {
  const { packages, archives, scratch, warnings } = options;
  const install = ['install', '--download-only', '--reinstall', '--no-install-recommends', '--yes', ...packages];
  const args = ['-q', ...privately(scratch), '-o', `Dir::Cache::archives=${archives}`, ...install];
  const { code, output } = await run({ command: 'apt-get', args });
  if (code !== 0) throw refusal(`apt-get could not download it:\n${lastLines(`${warnings}\n${output}`)}`);
}

async function unpack(archive: string, folder: string): Promise<void> {
  const { code, output } = await run({ command: 'dpkg-deb', args: ['-x', archive, folder] });
  if (code !== 0) throw refusal(`${archive} could not be unpacked:\n${lastLines(output)}`);
}

const privately = (scratch: string): string[] =>
  [
    `Dir::State=${scratch}`,
    `Dir::Cache=${scratch}`,
    'Dir::State::status=/var/lib/dpkg/status',
    'Dir::Cache::pkgcache=',
    'Dir::Cache::srcpkgcache=',
    'APT::Sandbox::User=', // else root's apt becomes a user who may not write here
    'Debug::NoLocking=true', // it would ask for the system's own lock
    'Acquire::Languages=none',
    'Acquire::Retries=2',
    'Acquire::http::Timeout=20',
    'Acquire::https::Timeout=20',
  ].flatMap((option) => ['-o', option]);
