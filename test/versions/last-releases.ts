import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import { comandaDir, root } from '@comanda/local-stack/root';
import { perService, serviceNames, type ServiceName } from '@comanda/local-stack/stack-settings';
import { linkPackages } from '../torture/mutated-copy.ts';
import type { Sources } from './releases.ts';

export type LastReleases = {
  /** Checks out the sources of each service's last release. Null if git does not have all of them. */
  checkOut: (() => Promise<Record<ServiceName, Sources>>) | null;
  /** A text that says what was searched for and what was found. */
  report: string;
};
type Found = { version: string; commit: string | null; where: string };

/**
 * Finds each service's last release: the tag `NAME-VERSION` with the highest version in `releases/NAME` or, if there is no such
 * tag, the first commit in which that file has the same content, in any format. Each commit is checked out only once.
 */
export function findLastReleases(): LastReleases {
  const found = perService(findRelease);
  const report = serviceNames.map((name) => `  ${name} ${found[name].version}: ${found[name].where}`).join('\n');
  if (serviceNames.some((name) => found[name].commit === null)) return { checkOut: null, report };
  return { checkOut: () => checkOutEach(found), report };
}

async function checkOutEach(found: Record<ServiceName, Found>): Promise<Record<ServiceName, Sources>> {
  const roots = new Map<string | null, string>();
  for (const name of serviceNames) {
    const { commit } = found[name];
    if (!roots.has(commit)) roots.set(commit, await checkOutOnce(String(commit)));
  }
  return perService((name) => ({ name: found[name].version, root: roots.get(found[name].commit) ?? '' }));
}

function findRelease(name: ServiceName): Found {
  const files = readdirSync(join(root, 'releases', name));
  const [file = ''] = files.toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true }));
  const version = file.replace(/\.json$/, '');
  const tagged = git('rev-parse', '--verify', '--quiet', `${name}-${version}^{commit}`);
  if (tagged) return { version, commit: tagged, where: `tag ${name}-${version}` };
  if (git('rev-parse', '--show-toplevel') !== root) return { version, commit: null, where: 'this is no clone' };
  if (git('rev-parse', '--is-shallow-repository') === 'true')
    return { version, commit: null, where: `this clone is shallow, and has no tag ${name}-${version}` };
  const path = `releases/${name}/${file}`;
  const said = JSON.parse(readFileSync(join(root, path), 'utf8')) as unknown;
  const commits = git('log', '--reverse', '--format=%H', '--', path)?.split('\n') ?? [];
  const saysTheSame = (each: string): boolean =>
    isDeepStrictEqual(JSON.parse(git('show', `${each}:${path}`) ?? 'null'), said);
  const commit = commits.find(saysTheSame) ?? null;
  return { version, commit, where: `no tag; commit ${commit?.slice(0, 10)} has written its file` };
}

/** Runs git and returns what it prints. Returns null if git fails or prints nothing. */
function git(...args: string[]): string | null {
  try {
    return (
      execFileSync('git', args, {
        cwd: root,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
        maxBuffer: 100_000_000,
      }).trim() || null
    );
  } catch {
    return null;
  }
}

const lockOf = (folder: string): string => readFileSync(join(folder, 'package-lock.json'), 'utf8');

const installedIn = (release: string): string[] =>
  ['.', ...serviceNames.map((name) => `services/${name}`)]
    .map((folder) => join(folder, 'node_modules'))
    .filter((path) => existsSync(join(release, path)));

type Lock = { packages: Record<string, { integrity?: string; dev?: boolean; link?: boolean }> };

/** Returns a lockfile's production packages: the hash of each, keyed by its install path. */
function packagesOf(lock: string): Map<string, string | undefined> {
  const { packages } = JSON.parse(lock) as Lock;
  const used = Object.entries(packages).filter(
    ([path, { dev = false, link = false }]) => path.includes('node_modules/') && !dev && !link,
  );
  return new Map(used.map(([path, { integrity }]) => [path, integrity]));
}

/**
 * Returns true if this repository's installed packages can replace a release's own: `installed` must include all production
 * packages of the lockfile `ofRelease`, in the same versions. Additional packages do no harm, except in folders inside the
 * release's own packages and services, which would find them first.
 */
export function areAllInstalled(ofRelease: string, installed: string): boolean {
  const [here, theirs] = [packagesOf(installed), packagesOf(ofRelease)];
  const isWithinTheirs = (path: string): boolean => {
    const around = path.slice(0, Math.max(0, path.lastIndexOf('/node_modules/')));
    return around !== '' && (theirs.has(around) || !around.startsWith('node_modules/'));
  };
  return (
    [...theirs].every(([path, integrity]) => here.has(path) && here.get(path) === integrity) &&
    [...here.keys()].every((path) => theirs.has(path) || !isWithinTheirs(path))
  );
}

/** Checks out a commit's sources, and links or installs the packages that they import. */
async function checkOutOnce(commit: string): Promise<string> {
  const folder = join(comandaDir, 'releases');
  const isLinked = areAllInstalled(String(git('show', `${commit}:package-lock.json`)), lockOf(root));
  const path = join(folder, `${commit}-${isLinked ? 'linked' : 'installed'}`); // The packages installed here may change.
  if (existsSync(path)) return path;
  mkdirSync(folder, { recursive: true });
  const making = mkdtempSync(join(folder, 'making-'));
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 500_000_000 });
  execFileSync('tar', ['-x'], { cwd: making, input: archive });
  const isAlike = (name: string): boolean =>
    name.endsWith('-installed') && lockOf(join(folder, name)) === lockOf(making);
  const alike = readdirSync(folder).find(isAlike);
  const runs = promisify(execFile);
  if (isLinked) linkPackages(making);
  else if (alike !== undefined)
    await runs('cp', ['-al', '--parents', ...installedIn(join(folder, alike)), making], { cwd: join(folder, alike) });
  else await runs('npm', ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: making });
  renameSync(making, path);
  return path;
}
