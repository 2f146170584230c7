// npm run release: creates the next release of a service. It updates the version in package.json and the lockfile and the heading
// in the changelog, and writes the promises and the date to releases/NAME/VERSION.json. It rejects changes that would break the
// last release, unless the new version is a major one.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatDocument } from '@comanda/local-stack/format-document';
import { root } from '@comanda/local-stack/root';
import { isRefusal, refusal } from '@comanda/local-stack/servers/refusal';
import { defineCommand, readCommandLine } from './command-line.ts';
import { moveUnreleased } from './releases/changelog.ts';
import { findBreaks, findPredecessors } from './releases/compare-releases.ts';
import { describeRelease } from './releases/describe-release.ts';
import { lastReleases, nextVersion, selectServices, services, steps, type Step } from './releases/release.ts';

const command = defineCommand({
  name: 'npm run release',
  script: 'release',
  about: 'Makes the next release of one service. It commits nothing.',
  options: {},
  operands: { usage: 'SERVICE STEP', help: `${services.join(', ')}; ${steps.join(', ')}` },
});

async function makeRelease(operands: readonly string[]): Promise<void> {
  const [name = '', step = '', ...surplus] = operands;
  const [service = 'orders'] = selectServices([name]);
  if (!steps.includes(step as Step) || surplus.length > 0)
    throw refusal(`Say which part of the version grows: npm run release -- ${name} ${steps.join('|')}`);
  const described = await describeRelease(service);
  const last = await lastReleases(join(root, 'releases'));
  const was = last.get(service);
  const breaks = was ? findBreaks({ was, is: described }) : [];
  if (breaks.length > 0 && step !== 'major')
    throw refusal([`This is no ${step} release of ${service}:`, ...breaks].join('\n  '));

  const release = { ...described, version: nextVersion(described.version, step as Step) };
  const released = new Date().toISOString().slice(0, 'yyyy-mm-dd'.length);
  const path = `services/${service}/CHANGELOG.md`;
  const text = readFileSync(join(root, path), 'utf8');
  const changelog = moveUnreleased(text, { path, version: release.version, day: released });
  writeFileSync(join(root, path), await formatDocument(path, changelog));
  setVersion(service, release.version);
  const kept = `releases/${service}/${release.version}.json`;
  mkdirSync(join(root, 'releases', service), { recursive: true });
  writeFileSync(join(root, kept), `${JSON.stringify({ released, ...release })}\n`);
  console.log(
    [
      `${service} ${release.version}: ${kept}`,
      ...findPredecessors(release, last),
      `Commit it, and mark the commit: git tag ${service}-${release.version}`,
    ].join('\n'),
  );
}

function setVersion(service: string, version: string): void {
  const packageFile = join(root, 'services', service, 'package.json');
  const text = readFileSync(packageFile, 'utf8');
  writeFileSync(packageFile, text.replace(/"version": "[^"]*"/, `"version": "${version}"`));
  const lockFile = join(root, 'package-lock.json');
  const lock = JSON.parse(readFileSync(lockFile, 'utf8')) as { packages: Record<string, { version: string }> };
  const locked = lock.packages[`services/${service}`];
  if (!locked) throw refusal(`package-lock.json does not have services/${service}: run npm install.`);
  locked.version = version;
  writeFileSync(lockFile, `${JSON.stringify(lock, null, 2)}\n`);
}

await makeRelease(readCommandLine(command).operands).catch((error: unknown) => {
  console.error(isRefusal(error) ? error.message : error);
  process.exitCode = 1;
});
