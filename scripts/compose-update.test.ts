import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { root } from '@comanda/local-stack/root';

// Not every machine has Docker, so a fake program named `docker` records its arguments and responds like Compose.

const dir = mkdtempSync(join(tmpdir(), 'compose-update-'));
const said = join(dir, 'said');
const docker = join(dir, 'docker');
afterAll(() => rmSync(dir, { recursive: true, force: true }));
beforeEach(() => writeFileSync(said, ''));

type Fake = { running: string; after: string; images?: string; up?: string; stop?: string };
/**
 * Creates a fake docker. `running` lists the containers before the update, and `after` those after the new ones have started.
 * `images` lists the versions that run at the end. `up` and `stop` are the shell code for these commands.
 */
function fakeDocker({ running, after, images = '1.1.0', up: start = 'true', stop = 'true' }: Fake) {
  const ofImages = images.split(' ').map((version) => `registry:5000/orders:${version}\\n`);
  writeFileSync(
    docker,
    `#!/bin/sh
echo "$*" >> ${said}
case "$*" in
  *' ps '*'--quiet'*) if grep -q ' up ' ${said}; then printf '${after}'; else printf '${running}'; fi ;;
  *' config --images') printf 'registry:5000/auth-stepup:1.1.0\\nregistry:5000/orders:1.1.0\\n' ;;
  *' ps --format '*) printf '${ofImages.join('')}' ;;
  *' up '*) ${start} ;;
  'stop '*) ${stop} ;;
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
/** Returns the arguments of all docker calls so far, without the file that every Compose command names. */
const asked = (): string[] =>
  readFileSync(said, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.replace(/^compose --file \S+ /, ''));
const up = (count: number): string => `up --detach --wait --no-deps --no-recreate --scale orders=${count} orders`;

const running = 'ps --quiet orders';
const removeStopped = 'rm --force orders';
const newRemoved = ['ps --all --quiet orders', 'logs --tail 20 c', 'rm --force c'];

describe('deploy/compose-update', () => {
  test('starts two new containers and then stops the two old ones', async () => {
    fakeDocker({ running: 'a\\nb\\n', after: 'a\\nb\\nc\\nd\\n', images: '1.1.0 1.1.0' });

    const { code } = await update('orders');

    expect(code).toBe(0);
    const updated = [removeStopped, running, up(4), 'stop -t 30 a b', 'rm a b', up(2)];
    expect(asked().slice(0, updated.length)).toEqual(updated);
  });

  test("removes only the new containers if they don't become healthy", async () => {
    fakeDocker({ running: 'a\\n', after: 'a\\nc\\n', up: 'exit 1' });

    const { code, err } = await update('orders');

    expect([code, err]).toEqual([1, expect.stringContaining('the old ones keep running')]);
    expect(asked()).toEqual([removeStopped, running, up(2), ...newRemoved]);
  });

  test('removes only the new containers if it is interrupted early', async () => {
    fakeDocker({ running: 'a\\n', after: 'a\\nc\\n', up: 'kill -INT $PPID' });

    expect(await update('orders')).toEqual({ code: 130, err: expect.stringContaining('the old ones keep running') });
    expect(asked()).toEqual([removeStopped, running, up(2), ...newRemoved]);
  });

  test('waits for the old containers to stop if it is interrupted late', async () => {
    const interruptedOnce = `[ "$(grep -c '^stop' ${said})" -eq 2 ] || { kill -INT $PPID; exit 130; }`;
    fakeDocker({ running: 'a\\n', after: 'a\\nc\\n', stop: interruptedOnce });

    expect(await update('orders')).toMatchObject({ code: 0 });
    expect(asked()).toEqual(expect.arrayContaining(['stop -t 30 a', 'rm a', up(1)]));
  });

  test.each(['1.0.0', '1.1.0 1.0.0', '1.1.0 1.1.0'])(
    'fails if %s runs at the end instead of the new version',
    async (images) => {
      fakeDocker({ running: 'a\\n', after: 'a\\nc\\n', images });

      const { code, err } = await update('orders');

      expect([code, err]).toEqual([1, expect.stringContaining('orders: not 1 of registry:5000/orders:1.1.0')]);
    },
  );

  test("fails without removing anything if an old container doesn't stop", async () => {
    fakeDocker({ running: 'a\\n', after: 'a\\nc\\n', stop: 'exit 1' });

    expect((await update('orders')).code).toBe(1);
    expect(asked()).toEqual([removeStopped, running, up(2), 'stop -t 30 a']);
  });

  test.each([
    ['gateway', 'publishes a port'],
    ['nothing', 'usage:'],
  ])('does nothing if it is called for %s', async (service, reason) => {
    fakeDocker({ running: 'a\\n', after: 'a\\n' });

    const { code, err } = await update(service);

    expect([code, err]).toEqual([64, expect.stringContaining(reason)]);
    expect(readFileSync(said, 'utf8')).toBe('');
  });

  test('explains how to start a container if none is running', async () => {
    fakeDocker({ running: '', after: '' });
    expect(await update('orders')).toEqual({ code: 1, err: expect.stringContaining('No container of orders runs') });
  });
});
