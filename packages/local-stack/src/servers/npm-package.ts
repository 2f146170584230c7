import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lastLines, run } from './command.ts';
import { refusal } from './refusal.ts';

/**
 * An exact package version in the npm registry. `spec` is, for example, `name@1.0.0`, and `integrity` is the archive's SHA-512,
 * as in lockfiles.
 */
type NpmPackage = { spec: string; integrity: string };

/** Unpacks a package without its dependencies and without running its scripts. Rejects an archive with another hash. */
export type UnpackNpmPackage = (wanted: NpmPackage, folder: string) => Promise<void>;

export function npmPackage(scratch: string): UnpackNpmPackage {
  return async ({ spec, integrity }, folder) => {
    mkdirSync(scratch, { recursive: true });
    const destination = mkdtempSync(join(scratch, 'package-'));
    await runOrRefuse('npm', ['pack', spec, '--silent', '--ignore-scripts', '--pack-destination', destination]);
    const archive = join(destination, readdirSync(destination)[0] ?? '');
    const actual = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
    if (actual !== integrity) throw refusal(`the archive of ${spec} does not match the pinned hash: ${actual}`);
    await runOrRefuse('tar', ['-xzf', archive, '-C', folder, '--strip-components=1']);
  };
}

async function runOrRefuse(command: string, args: readonly string[]): Promise<void> {
  const { code, output } = await run({ command, args });
  if (code !== 0) throw refusal(`${command} ${args.join(' ')} failed:\n${lastLines(output, 3)}`);
}
