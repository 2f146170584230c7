import { expect, test } from '@jest/globals';
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

test('when tests hang, then each is ended and named, and the rest runs', async () => {
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const args = [...flags, jest, `--config=${JSON.stringify(config)}`, '--verbose'];
  const { code, output } = await run({ command: process.execPath, args, timeoutMs: 50_000 });

  expect(code).toBe(1);
  expect(output).toMatch(/● when its promise never settles, then it is named/);
  expect(output).toMatch(/HUNG: .*loop\.fixture\.ts › when it never returns, then it is named: blocked the event loop/);
  expect(output).toMatch(/HUNG: .*import\.fixture\.ts › loading the file: did nothing/);
  expect(output).toMatch(/handle\.fixture\.ts left open: 1 TCPServerWrap/);
  expect(output).toMatch(/PASS scripts\/jest\/fixtures\/good\.fixture\.ts/);
  expect(output).toMatch(/Test Suites: 4 failed, 1 passed, 5 total/);
}, 60_000);
