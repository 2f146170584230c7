import { afterEach, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findKubernetes, kubernetesVersion } from './kubernetes-program.ts';

const programsDir = mkdtempSync(join(tmpdir(), 'programs-'));
const path = process.env['PATH'];
afterEach(() => {
  process.env['PATH'] = path;
  rmSync(programsDir, { recursive: true, force: true });
});
const find = (): Promise<string> => findKubernetes({ programsDir, log: () => undefined });

test('when there is no Go, then it says what lacks and where to get it, and leaves nothing behind', async () => {
  mkdirSync(programsDir, { recursive: true });
  process.env['PATH'] = '';

  await expect(find()).rejects.toThrow(/there is no go\. Install it: https:\/\/go\.dev\/dl\//);

  expect(readdirSync(programsDir)).toEqual([]);
});

test('when it was built before, then it is not built again', async () => {
  mkdirSync(join(programsDir, `kubernetes-${kubernetesVersion}`), { recursive: true });
  process.env['PATH'] = '';

  expect(await find()).toBe(join(programsDir, `kubernetes-${kubernetesVersion}`, 'kubernetes'));
});
