// npm run compatible: compares the promises in each service's sources with its last release (releases/NAME), and describes what
// would break. The exit code is 0 only if nothing would break.
import { join } from 'node:path';
import { root } from '@comanda/local-stack/root';
import { isRefusal } from '@comanda/local-stack/servers/refusal';
import { defineCommand, readCommandLine } from './command-line.ts';
import { findBreaks, findPredecessors } from './releases/compare-releases.ts';
import { describeRelease } from './releases/describe-release.ts';
import { lastReleases, selectServices, services } from './releases/release.ts';

const command = defineCommand({
  name: 'npm run compatible',
  script: 'compatible',
  about: 'Says what of the last release of each service would break, and what must be released before it.',
  options: { releases: { value: 'FOLDER', help: 'where the releases are (releases)' } },
  operands: { usage: '[SERVICE …]', help: `${services.join(', ')}; all without one` },
});

const advice = `Change it in two releases, or release it as a major version in the same commit: see docs/releases.md.`;

async function compareWithLast(): Promise<number> {
  const { values, operands } = readCommandLine(command);
  const last = await lastReleases(values.releases ?? join(root, 'releases'));
  let broken = 0;
  for (const service of selectServices(operands)) {
    const was = last.get(service);
    const is = await describeRelease(service);
    if (!was) {
      console.log(`${service} has no release yet.`);
      continue;
    }
    const breaks = findBreaks({ was, is });
    broken += breaks.length;
    const found =
      breaks.length === 0
        ? 'nothing breaks'
        : `${breaks.length} ${breaks.length === 1 ? 'thing breaks' : 'things break'}`;
    console.log(`${service}: ${found} since ${was.version}.`);
    for (const sentence of [...breaks, ...findPredecessors(is, last)]) console.log(`  ${sentence}`);
  }
  if (broken > 0) console.log(advice);
  return broken === 0 ? 0 : 1;
}

process.exitCode = await compareWithLast().catch((error: unknown) => {
  console.error(isRefusal(error) ? error.message : error);
  return 1;
});
