import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.ts';
import { serviceImage } from './service-image.ts';
import { serviceNames } from './start/service-settings.ts';

describe('serviceImage', () => {
  test.each(serviceNames)('when the service is %s, then its program runs in production with source maps', (service) => {
    const { flags, main, env } = serviceImage(service);

    expect(main).toBe(`services/${service}/dist/main.js`);
    expect(flags).toContain('--enable-source-maps');
    expect(env).toMatchObject({ NODE_ENV: 'production', HOST: '0.0.0.0' });
  });
  test('when there is no such service, then it throws', () => {
    expect(() => serviceImage('unknown')).toThrow(/unknown/);
  });
});

describe('docker-compose.yml', () => {
  test.each(serviceNames)('when %s is built, then it uses the shared Dockerfile', (service) => {
    const compose = readFileSync(join(root, 'docker-compose.yml'), 'utf8');

    expect(compose).toContain(`build: { context: ., args: { SERVICE: ${service} } }`);
  });
});
