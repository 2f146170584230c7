import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { root } from '@comanda/local-stack/root';

// Docker is not on every machine: a program of this name writes down what it is asked, and answers as Compose does.

const dir = mkdtempSync(join(tmpdir(), 'compose-update-'));
const said = join(dir, 'said');
const docker = join(dir, 'docker');
afterAll(() => rmSync(dir, { recursive: true, force: true }));
beforeEach(() => writeFileSync(said, ''));

type Fake = { running: string; after: string; unhealthy?: boolean; stuck?: boolean };
/** `running` before, `after` once the new ones were started; `unhealthy`: they do not get ready; `stuck`: no container stops. */
function fakeDocker({ running, after, unhealthy = false, stuck = false }: Fake) {
  writeFileSync(
    docker,
    `#!/bin/sh
echo "$*" >> ${said}
case "$*" in
  *'ps --quiet'*) if grep -q ' up ' ${said}; then printf '${after}'; else printf '${running}'; fi ;;
  *' up '*) ${unhealthy ? 'exit 1' : 'true'} ;;
  'stop '*) ${stuck ? 'exit 1' : 'true'} ;;
esac
`,
  );
  chmodSync(docker, 0o755);
}
const update = (service: string): Promise<{ code: number; err: string }> => {
  const env = { PATH: `${dir}:${process.env['PATH']}`, VERSION: '1.1.0' };
  const { promise, resolve } = Promise.withResolvers<{ code: number; err: string }>();
  execFile(join(root, 'deploy/compose-update'), [service], { env }, (error, _out, err) =>
    resolve({ code: error ? Number(error.code) : 0, err }),
  );
  return promise;
};
/** What docker was asked, without the file that each command of Compose names. */
const asked = (): string[] =>
  readFileSync(said, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.replace(/^compose --file \S+ /, ''));
const up = (count: number): string => `up --detach --wait --no-deps --no-recreate --scale orders=${count} orders`;

describe('deploy/compose-update', () => {
  test('when two containers run, then two new ones are healthy before the old ones are stopped, and two are kept', async () => {
    fakeDocker({ running: 'a\\nb\\n', after: 'a\\nb\\nc\\nd\\n' });

    const { code } = await update('orders');

    expect(code).toBe(0);
    expect(asked()).toEqual(['ps --quiet orders', up(4), 'stop -t 30 a b', 'rm a b', up(2)]);
  });

  test('when the new ones do not get healthy, then they alone are removed, with their last lines, and the old ones go on', async () => {
    fakeDocker({ running: 'a\\n', after: 'a\\nc\\n', unhealthy: true });

    const { code, err } = await update('orders');

    expect([code, err]).toEqual([1, expect.stringContaining('the old ones go on')]);
    expect(asked()).toEqual(['ps --quiet orders', up(2), 'ps --quiet orders', 'logs --tail 20 c', 'rm --force c']);
  });

  test('when an old one does not stop, then it fails, and removes none of them', async () => {
    fakeDocker({ running: 'a\\n', after: 'a\\nc\\n', stuck: true });

    expect((await update('orders')).code).toBe(1);
    expect(asked()).toEqual(['ps --quiet orders', up(2), 'stop -t 30 a']);
  });

  test.each([
    ['gateway', 'publishes a port'],
    ['nothing', 'usage:'],
  ])('when it is called for %s, then it says why not, and does nothing', async (service, reason) => {
    fakeDocker({ running: 'a\\n', after: 'a\\n' });

    const { code, err } = await update(service);

    expect([code, err]).toEqual([64, expect.stringContaining(reason)]);
    expect(readFileSync(said, 'utf8')).toBe('');
  });

  test('when no container runs, then it says how to start one', async () => {
    fakeDocker({ running: '', after: '' });
    expect(await update('orders')).toEqual({ code: 1, err: expect.stringContaining('No container of orders runs') });
  });
});
