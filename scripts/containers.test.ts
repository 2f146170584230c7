import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { root } from '@comanda/local-stack/root';

// Not every machine has Docker, so a fake program named `docker` records its arguments and responds like the engine.

const dir = mkdtempSync(join(tmpdir(), 'containers-'));
const said = join(dir, 'said');
afterAll(() => rmSync(dir, { recursive: true, force: true }));
beforeEach(() => writeFileSync(said, ''));

/** Creates a fake docker. `responses` are branches of a `case` in a shell. */
function fakeDocker(responses: string): void {
  const docker = join(dir, 'docker');
  writeFileSync(docker, `#!/bin/sh\necho "$COMPOSE_PROJECT_NAME: $*" >> ${said}\ncase "$*" in\n${responses}\nesac\n`);
  chmodSync(docker, 0o755);
}
const run = (args: readonly string[] = []): Promise<{ code: number; err: string }> => {
  const { promise, resolve } = Promise.withResolvers<{ code: number; err: string }>();
  const command = ['--conditions=source', join(root, 'scripts/containers.ts'), ...args];
  const env = { PATH: `${dir}:/bin`, COMANDA_DIR: join(dir, 'comanda') };
  execFile(process.execPath, command, { env }, (error, _out, err) =>
    resolve({ code: error ? Number(error.code) : 0, err }),
  );
  return promise;
};
const asked = (): string[] => readFileSync(said, 'utf8').trim().split('\n');

const unavailable = 69;

describe('npm run containers', () => {
  test.each([
    [
      'no engine answers',
      "version*) echo 'Cannot connect to the Docker daemon'; exit 1 ;;",
      'No Docker engine answers',
    ],
    ['there is no Compose', 'version*) echo 27.0.1 ;;\n*) exit 1 ;;', 'no plugin compose'],
    ['the engine is too old', "version*) echo 24.0.7 ;;\n'compose version'*) echo 2.30.0 ;;", 'engine is 24.0.7'],
    ['Compose is too old', "version*) echo 27.0.1 ;;\n'compose version'*) echo v2.23.3 ;;", 'Compose is 2.23.3'],
  ])('explains how to get an engine if %s, and exits with the code for "nothing was checked"', async (...of) => {
    const [, responses, why] = of;
    fakeDocker(responses);

    const { code, err } = await run();

    expect([code, err]).toEqual([unavailable, expect.stringContaining(why)]);
    expect(err).toContain('https://docs.docker.com/engine/install');
  });

  test("exits with the same code if Docker isn't installed", async () => {
    rmSync(join(dir, 'docker'), { force: true });

    expect(await run()).toEqual({ code: unavailable, err: expect.stringContaining('no program docker') });
  });

  test('names the image whose build failed', async () => {
    fakeDocker(
      "version*) echo 27.0.1 ;;\n'compose version'*) echo 2.30.0 ;;\n*' build') echo 'npm ci failed' >&2; exit 17 ;;",
    );

    const { code, err } = await run(['--only=demo']);

    expect([code, err]).toEqual([1, expect.stringContaining('✗ the images of the demo are built')]);
    expect(err).toContain('ended with 17');
    const changing = asked().filter((line) => / (down|rm|up|build|prune)\b/.test(line));
    const file = join(root, 'docker-compose.yml');
    const removeAll = `comanda-check: compose --file ${file} down --volumes --remove-orphans --rmi local`;
    expect(changing).toEqual([removeAll, `comanda-check: compose --file ${file} build`, removeAll]);
  });
});
