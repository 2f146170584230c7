import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { lastLines, run } from './command.ts';
import { refusal } from './refusal.ts';
import { thisSystem } from './ways-out.ts';

/**
 * Unpacks Debian packages into a folder, together with the dependencies that this system lacks. Installs nothing and needs no
 * root. apt stores its lists and its cache in `scratch`, and reads the system's list of installed packages and its sources.
 */
export type UnpackDebianPackages = (packages: readonly string[], folder: string) => Promise<void>;

export function debianPackages(scratch: string): UnpackDebianPackages {
  let updated: Promise<string> | undefined;
  return async (packages, folder) => {
    if (!thisSystem.hasApt)
      throw refusal('apt-get or dpkg-deb is missing: packages are available for Debian and Ubuntu only');
    updated ??= updateLists(scratch);
    const warnings = await updated;
    const archives = join(scratch, 'archives', packages.join('+').slice(0, 40));
    mkdirSync(join(archives, 'partial'), { recursive: true });
    await download({ packages, archives, scratch, warnings });
    const files = readdirSync(archives).filter((name) => name.endsWith('.deb'));
    const unpacked = files.map((file) => unpack(join(archives, file), folder));
    // Waits for all packages, even if one fails: the caller may then remove the folder, and nothing may still be writing to it.
    await Promise.allSettled(unpacked);
    await Promise.all(unpacked);
    for (const path of notNeeded) rmSync(join(folder, path), { recursive: true, force: true });
  };
}

/** Files that no server reads, such as documentation, translations, headers, and files for the system's service manager. */
const notNeeded = [
  ...['doc', 'man', 'info', 'locale', 'lintian', 'bash-completion', 'bug'].map((name) => `usr/share/${name}`),
  'usr/include',
  'lib/systemd',
  'usr/lib/systemd',
];

/**
 * Updates the package lists. Returns apt's warnings, which a later error message can show: `apt-get update` exits with 0 even if
 * there is no network.
 */
async function updateLists(scratch: string): Promise<string> {
  mkdirSync(join(scratch, 'lists', 'partial'), { recursive: true });
  const { code, output } = await run({ command: 'apt-get', args: ['-q', ...privateOptions(scratch), 'update'] });
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
  const install = ['install', '--download-only', '--reinstall', '--no-install-recommends', '--yes'];
  const args = ['-q', ...privateOptions(scratch), '-o', `Dir::Cache::archives=${archives}`, ...install, ...packages];
  const { code, output } = await run({ command: 'apt-get', args });
  if (code !== 0) throw refusal(`apt-get can't download the packages:\n${lastLines(`${warnings}\n${output}`)}`);
}

async function unpack(archive: string, folder: string): Promise<void> {
  const { code, output } = await run({ command: 'dpkg-deb', args: ['-x', archive, folder] });
  if (code !== 0) throw refusal(`${archive} can't be unpacked:\n${lastLines(output)}`);
}

const privateOptions = (scratch: string): string[] =>
  [
    `Dir::State=${scratch}`,
    `Dir::Cache=${scratch}`,
    'Dir::State::status=/var/lib/dpkg/status',
    'Dir::Cache::pkgcache=',
    'Dir::Cache::srcpkgcache=',
    'APT::Sandbox::User=', // Without this, apt run by root switches to a user that may not write to `scratch`.
    'Debug::NoLocking=true', // Without this, apt takes the system's lock.
    'Acquire::Languages=none',
    'Acquire::Retries=2',
    'Acquire::http::Timeout=20',
    'Acquire::https::Timeout=20',
  ].flatMap((option) => ['-o', option]);
