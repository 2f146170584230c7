import { describe, expect, test } from '@jest/globals';
import { serviceImage } from './service-image.ts';
import { serviceNames } from './start/service-settings.ts';

describe('how an image runs its service', () => {
  test.each(serviceNames)('when it is %s, then it is its own program, in production', (service) => {
    const { flags, main, env } = serviceImage(service);
    expect(main).toBe(`services/${service}/dist/main.js`);
    expect(flags).toContain('--enable-source-maps');
    expect(env).toMatchObject({ NODE_ENV: 'production' });
  });
  test('when there is no such service, then that is an error', () => {
    expect(() => serviceImage('nobody')).toThrow(/nobody/);
  });
});
