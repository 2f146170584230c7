import { afterAll, expect, test } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../root.ts';
import { run } from '../servers/command.ts';

const config = {
  rootDir: root,
  testMatch: ['<rootDir>/scripts/jest/fixtures/*.fixture.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  testEnvironment: '<rootDir>/scripts/jest/environment.mjs',
  testEnvironmentOptions: { blockedMs: 1_500, silentMs: 2_500 },
  transform: { '\\.ts$': '<rootDir>/scripts/jest/strip-types.mjs' },
  workerIdleMemoryLimit: '2GB',
  maxWorkers: 2,
};
const folder = mkdtempSync(join(tmpdir(), 'hung-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('when tests hang, then each is ended and named, and the rest runs', async () => {
  const hungFile = join(folder, 'hung.txt');
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const { code, output } = await run({
    command: process.execPath,
    args: [...flags, jest, `--config=${JSON.stringify(config)}`, '--verbose'],
    env: { ...process.env, COMANDA_HUNG_FILE: hungFile },
    timeoutMs: 50_000,
  });

  expect(code).toBe(1);
  expect(output).toMatch(/● when its promise never settles, then it is named/);
  expect(output).toMatch(/handle\.fixture\.ts left open: 1 TCPServerWrap/);
  expect(output).toMatch(/PASS scripts\/jest\/fixtures\/good\.fixture\.ts/);
  expect(output).toMatch(/Test Suites: 4 failed, 1 passed, 5 total/);
  const hung = readFileSync(hungFile, 'utf8');
  expect(hung).toMatch(/HUNG: .*loop\.fixture\.ts › when it never returns, then it is named: blocked the event loop/);
  expect(hung).toMatch(/HUNG: .*import\.fixture\.ts › loading the file: did nothing/);
}, 60_000);
