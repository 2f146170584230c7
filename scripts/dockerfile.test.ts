import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '@comanda/local-stack/root';
import { serveHealth, servePublicHealth } from '@comanda/shared/http/health';
import { createMetrics } from '@comanda/shared/runtime/metrics';
import { describe, expect, test } from '@jest/globals';
import express from 'express';

const read = (file: string): string => readFileSync(join(root, file), 'utf8');

test('no image contains a file from the secrets folder', () => {
  expect(read('.dockerignore').split('\n')).toContain('*');
  expect(read('.dockerignore')).not.toMatch(/^!.*(secrets|\.env)/m);
  expect(read('.gitignore').split('\n')).toContain('/secrets/');
});

describe("the images' health check", () => {
  const [, command = '[]'] = /^HEALTHCHECK (?:.*?) CMD (\[.*?\])$/ms.exec(read('Dockerfile')) ?? [];
  const [, ...args] = JSON.parse(command.replaceAll('\\\n', '')) as string[];

  test.each([
    { what: 'a service', serve: serveHealth, isUp: true, exitCode: 0 },
    { what: 'a service without a server that it needs', serve: serveHealth, isUp: false, exitCode: 1 },
    { what: 'the gateway', serve: servePublicHealth, isUp: true, exitCode: 0 },
  ])('exits with $exitCode for $what', async ({ serve, isUp, exitCode }) => {
    const app = express();
    const dependencies = [{ name: 'any', need: 'hard', isUp: () => isUp }] as const;
    serve(app, { version: '1.0.0', metrics: createMetrics('any'), dependencies });
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const env = { PORT: String((server.address() as AddressInfo).port) };
    const check = promisify(execFile)(process.execPath, args, { env }).then(
      () => 0,
      ({ code }: { code: number }) => code,
    );

    expect(await check.finally(() => server.close())).toBe(exitCode);
  });

  test('exits with 1 if nothing listens', async () => {
    const check = promisify(execFile)(process.execPath, args, { env: { PORT: '1' } });

    await expect(check).rejects.toMatchObject({ code: 1, stderr: '' });
  });
});

describe('the image that sets up the demo', () => {
  test('contains exactly the imported scripts', () => {
    const found = new Set<string>();
    const follow = (file: string): void => {
      if (found.has(file)) return;
      found.add(file);
      for (const [, path = ''] of read(file).matchAll(/ from '(\.[^']+)'/g)) follow(join(dirname(file), path));
    };
    follow('packages/local-stack/src/seed-containers.ts');
    const copies = read('Dockerfile').matchAll(/^COPY (packages\/local-stack\/(?:.*\\\n)*.*) \S+$/gm);
    const copied = [...copies].flatMap(([, paths = '']) => paths.split(/[\s\\]+/));

    expect(copied.toSorted()).toEqual([...found].toSorted());
    expect(copied.every((path) => existsSync(join(root, path)))).toBe(true);
  });
});
