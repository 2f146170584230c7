import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { identify } from '../process-identity.ts';

/**
 * A script that starts a reaper and two processes for it to track, and then waits. On SIGTERM, each process writes its name to a
 * file.
 */
const starter = `
  import { spawn } from 'node:child_process';
  import { startReaper } from ${JSON.stringify(join(import.meta.dirname, 'start-reaper.ts'))};
  import { identify } from ${JSON.stringify(join(import.meta.dirname, '../process-identity.ts'))};
  const [folder] = process.argv.slice(1);
  const reaper = await startReaper();
  reaper.remove(folder + '/run.json');
  for (const name of ['first', 'second']) {
    const code = \`
      process.on('SIGTERM', () => { require('fs').appendFileSync('\${folder}/stopped', '\${name} '); process.exit(); });
      console.log('listening'); setInterval(() => 0, 1000);\`;
    const child = spawn(process.execPath, ['-e', code], { detached: true });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    reaper.track({ ...identify(child.pid), name, stop: 'gracefully' });
    console.log(child.pid);
  }
  console.log('ready');
  setInterval(() => 0, 1000);
`;

describe('the reaper', () => {
  let folder: string;
  let child: ChildProcess | undefined;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'reaper-'));
    child = undefined;
  });
  afterEach(() => {
    child?.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  async function startWithReaper(): Promise<number[]> {
    writeFileSync(join(folder, 'run.json'), '{}');
    child = spawn(process.execPath, ['--input-type=module-typescript', '-e', starter, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    for await (const data of child.stdout as Readable) {
      output += String(data);
      if (output.includes('ready')) break;
    }
    return output.split('\n').slice(0, 2).map(Number);
  }

  test('stops all processes in reverse order when the starter is killed', async () => {
    const pids = await startWithReaper();

    child?.kill('SIGKILL');
    while (existsSync(join(folder, 'run.json'))) await delay(20); // The reaper removes this file last.

    expect(readFileSync(join(folder, 'stopped'), 'utf8')).toBe('second first ');
    expect(pids.filter((pid) => identify(pid))).toEqual([]);
  });
});
