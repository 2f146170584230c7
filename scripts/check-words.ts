// Part of npm run check: subjects of commits, entries of changelogs, and the texts of the apps, by scripts/words/rules.ts.
// Exits with 1 if there is a fault. Needs git, but no network and no whole history.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@comanda/local-stack/root';
import { findForbiddenWords, findLongEntries, findSubjectFault } from './words/rules.ts';

/** Only the commits after this one have to follow the rules. */
const lastUnchecked = '3782fe6d648a04209e3319d7b59c9a013b30b7ae';

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
const listed = (...patterns: string[]): string[] =>
  git('ls-files', '-z', ...patterns)
    .split('\0')
    .filter(Boolean);

/** The commits to check. A shallow clone without the last unchecked commit has only newer ones. */
function commits(): { hash: string; subject: string }[] {
  const log = (range: string): string => git('log', '--no-merges', '--format=%h %s', range);
  const lines = hasCommit(lastUnchecked) ? log(`${lastUnchecked}..HEAD`) : log('HEAD');
  return lines
    .split('\n')
    .filter(Boolean)
    .map((line) => ({ hash: line.slice(0, line.indexOf(' ')), subject: line.slice(line.indexOf(' ') + 1) }));
}

function hasCommit(hash: string): boolean {
  try {
    git('cat-file', '-e', `${hash}^{commit}`);
    return true;
  } catch {
    return false;
  }
}

/** The faults of each file, with its path. */
const faultsOf = (paths: readonly string[], find: (text: string) => string[]): string[] =>
  paths.flatMap((path) => find(readFileSync(join(root, path), 'utf8')).map((fault) => `${path}: ${fault}`));

const messageFiles = listed('apps/*/src/**/*.ts', 'packages/ui/src/**/*.ts').filter((path) =>
  /\/messages\/[^/]+\.ts$|messages\.ts$/.test(path),
);
const faults = [
  ...commits().flatMap(({ hash, subject }) => {
    const fault = findSubjectFault(subject);
    return fault === null ? [] : [`commit ${hash}: "${subject}" ${fault}`];
  }),
  ...faultsOf(listed('*CHANGELOG.md'), findLongEntries).map((entry) => `${entry} (at most 20 words)`),
  ...faultsOf(messageFiles, findForbiddenWords),
];
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
