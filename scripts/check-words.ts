// The part of npm run check that checks wording: commit subjects, changelog entries and the apps' texts must follow
// scripts/words/rules.ts. Exits with 1 if it finds a fault. Needs git, but no network and no complete history.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@comanda/local-stack/root';
import { findForbiddenWords, findLongEntries, findSubjectFault } from './words/rules.ts';

/** The last commit that need not follow the rules. Only later commits are checked. */
const lastUnchecked = '3782fe6d648a04209e3319d7b59c9a013b30b7ae';

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
const listed = (...patterns: string[]): string[] =>
  git('ls-files', '-z', ...patterns)
    .split('\0')
    .filter(Boolean);

/** Returns the commits to check. If a shallow clone lacks the last unchecked commit, it has only newer ones. */
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

/** Returns the faults in these files, each with the file's path. */
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
