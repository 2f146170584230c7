import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { appNames } from './build-apps.ts';
import { publicSignIns } from './demo-sign-ins.ts';
import { root } from './root.ts';

const compose = readFileSync(join(root, 'docker-compose.yml'), 'utf8');

test('when ports are published, then only this machine reaches them, unless PUBLISH_ADDRESS says otherwise', () => {
  const ports = compose.match(/^ +ports: .*$/gm) ?? [];

  expect(ports).toHaveLength(2);
  for (const port of ports)
    expect(port).toMatch(/ports: \['\$\{PUBLISH_ADDRESS:-127\.0\.0\.1\}:\$\{\w+:-\d+\}:\d+'\]$/);
});

test.each(appNames)('when the gateway runs in a container, then it serves the %s app of its image', (app) => {
  const gateway = compose.slice(compose.indexOf('\n  gateway:'), compose.indexOf('\n  orders:'));

  expect(gateway).toContain(`${app.toUpperCase()}_APP_FOLDER: /repo/apps/${app}/dist`);
  expect(readFileSync(join(root, 'Dockerfile'), 'utf8')).toMatch(/cp -r --parents .*apps\/\*\/dist.* \/image/);
});

test('when the demo is set up in containers, then its passwords are kept in a volume, and none is in the file', () => {
  const seed = compose.slice(compose.indexOf('\n  seed:'));

  expect(seed).toContain('SIGN_INS_FILE: /demo/');
  expect(seed).toContain("volumes: ['demo:/demo']");
  expect(compose).not.toContain(publicSignIns.manager.password);
});
