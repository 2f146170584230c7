// npm run words: prints every banned word in the names and texts of the repository's files, with its replacement. The list
// is scripts/words/banned-words.ts. The exit code is 1 if there are any.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.ts';
import { bannedWords } from './words/banned-words.ts';
import { createWordFinder } from './words/find-banned-words.ts';

const checked = /(?:\.(?:ts|mjs|js|md|py|toml|yml|html|css|svg|example)|Dockerfile|package\.json)$/;
/** The list itself, and files that are copied or generated. */
const skipped = /^(?:scripts\/words\/|scripts\/complete-lock\.mjs$)/;

const listFiles = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
const tracked = execFileSync('git', listFiles, { cwd: root, encoding: 'utf8', maxBuffer: 1e8 }).split('\0');
const paths = [...new Set(tracked)].filter(
  (path) => checked.test(path) && !skipped.test(path) && existsSync(join(root, path)),
);

const findBannedWords = createWordFinder(bannedWords);
let count = 0;
for (const path of paths.toSorted()) {
  const text = readFileSync(join(root, path), 'utf8');
  for (const { line, found, say } of findBannedWords({ path, text })) {
    count += 1;
    console.log(`${path}${line === 0 ? '' : `:${line}`}: "${found}": say ${say}`);
  }
}
if (count > 0) {
  console.error(
    `${count} banned words. Replace them, or add an exception with its reason to scripts/words/banned-words.ts.`,
  );
  process.exitCode = 1;
}
