import { afterEach, describe, expect, test } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@comanda/testing/until';
import { identify } from '../servers/process-identity.ts';

/** Starts two processes under a guardian, which write down when they are asked to end, and waits. */
const starter = `
  import { spawn } from 'node:child_process';
  import { startGuardian } from ${JSON.stringify(join(import.meta.dirname, 'start-guardian.ts'))};
  import { identify } from ${JSON.stringify(join(import.meta.dirname, '../servers/process-identity.ts'))};
  const [folder] = process.argv.slice(1);
  const guardian = await startGuardian();
  guardian.remove(folder + '/run.json');
  for (const name of ['first', 'second']) {
    const code = \`
      process.on('SIGTERM', () => { require('fs').appendFileSync('\${folder}/ended', '\${name} '); process.exit(); });
      console.log('listening'); setInterval(() => 0, 1000);\`;
    const child = spawn(process.execPath, ['-e', code], { detached: true });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    guardian.guard({ ...identify(child.pid), name, end: 'in order' });
    console.log(child.pid);
  }
  console.log('ready');
  process.on('SIGUSR2', () => guardian.finish().then(() => process.exit(0)));
  setInterval(() => 0, 1000);
`;

describe('the guardian', () => {
  const folder = mkdtempSync(join(tmpdir(), 'guardian-'));
  let child: ChildProcess;
  afterEach(() => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  async function startUnderGuardian(): Promise<number[]> {
    writeFileSync(join(folder, 'run.json'), '{}');
    child = spawn(process.execPath, ['--input-type=module-typescript', '-e', starter, folder]);
    let output = '';
    child.stdout?.on('data', (data: Buffer) => (output += data.toString()));
    child.stderr?.on('data', (data: Buffer) => (output += data.toString()));
    await until(() => output.includes('ready'), { what: 'the starter', timeoutMs: 10_000 });
    return output.split('\n').slice(0, 2).map(Number);
  }

  test('when the starter is killed, then all is ended in reverse order and its files are removed', async () => {
    const pids = await startUnderGuardian();
    child.kill('SIGKILL');
    await until(() => !existsSync(join(folder, 'run.json')), { what: 'the guardian', timeoutMs: 10_000 });
    expect(readFileSync(join(folder, 'ended'), 'utf8')).toBe('second first ');
    expect(pids.filter((pid) => identify(pid))).toEqual([]);
  });
});
