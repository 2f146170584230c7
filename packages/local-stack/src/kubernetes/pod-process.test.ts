import { describe, expect, test } from '@jest/globals';
import type { Pod } from './pod.ts';
import { processOf, readImage } from './pod-process.ts';

const image = {
  root: '/images/orders-1.1.0',
  flags: ['--enable-source-maps'],
  main: 'services/orders/dist/main.js',
  env: { NODE_ENV: 'production', HOST: '0.0.0.0' },
  ownEnv: { PORT: '3001', TABLE_APP_FOLDER: '/repo/apps/table/dist' },
};
const services = new Map([['auth-stepup', '10.96.0.7']]);
type Container = Pod['spec']['containers'][0];
const podWith = (container: Partial<Container>, spec: Partial<Pod['spec']> = {}): Pod => ({
  metadata: { name: 'orders-5c-x2', uid: 'u1', resourceVersion: '1' },
  spec: { ...spec, containers: [{ name: 'orders', image: 'registry.example.com/orders:1.1.0', ...container }] },
});
const start = (pod: Pod) => processOf({ pod, address: '10.244.0.9', folder: '/pods/u1', image, services });

describe('the process that a pod is', () => {
  test('when a container has no command, then it runs what its image runs', () => {
    const { command, args, cwd } = start(podWith({}));

    expect(command).toBe(process.execPath);
    expect(args).toEqual(['--enable-source-maps', '/images/orders-1.1.0/services/orders/dist/main.js']);
    expect(cwd).toBe('/images/orders-1.1.0/services/orders');
  });

  test('when a container has a command, then it runs that in the folder of the image', () => {
    const { command, args, cwd } = start(podWith({ command: ['node', 'dist/prepare.js'] }));

    expect([command, ...args]).toEqual([process.execPath, 'dist/prepare.js']);
    expect(cwd).toBe('/images/orders-1.1.0/services/orders');
  });

  test('when it listens everywhere, then it listens at the address of its pod', () => {
    expect(start(podWith({})).env['HOST']).toBe('127.244.0.9');
  });

  test('when a setting is a path in a volume or in the image, then it is that path on this machine', () => {
    const { env } = start(
      podWith({
        env: [{ name: 'MONGODB_URI_FILE', value: '/run/secrets/comanda/mongodb_uri' }],
        volumeMounts: [{ name: 'secrets', mountPath: '/run/secrets/comanda' }],
      }),
    );

    expect(env['MONGODB_URI_FILE']).toBe('/pods/u1/secrets/mongodb_uri');
    expect(env['TABLE_APP_FOLDER']).toBe('/images/orders-1.1.0/apps/table/dist');
  });

  test.each([
    ['a Service', 'http://auth-stepup:3002/keys.json', 'http://127.96.0.7:3002/keys.json'],
    ['no Service', 'http://auth-setpup:3002', 'http://auth-setpup:3002'],
    ['another host', 'https://menu.example.com', 'https://menu.example.com'],
  ])('when a URL names %s, then it is %s', (_, value, expected) => {
    expect(start(podWith({ env: [{ name: 'SOME_URL', value }] })).env['SOME_URL']).toBe(expected);
  });

  test('when a container sets what its image sets too, then its own value holds', () => {
    expect(start(podWith({ env: [{ name: 'PORT', value: '4000' }] })).env['PORT']).toBe('4000');
  });

  test.each([
    [{ envFrom: [{}] }, {}, 'envFrom'],
    [{ lifecycle: { preStop: { exec: {} } } }, {}, 'preStop other than sleep'],
    [{ readinessProbe: {} }, {}, 'probes other than httpGet'],
    [{}, { hostNetwork: true }, 'hostNetwork'],
    [{}, { volumes: [{ name: 'data' }] }, 'volumes that are neither secret nor configMap'],
  ])(
    'when a pod has %j and %j, then it is refused, because nothing here would do what it says',
    (container, spec, what) => {
      expect(() => start(podWith(container, spec))).toThrow(`pods here cannot have ${what}`);
    },
  );
});

test.each([
  ['registry.example.com/comanda/orders:1.0.0', 'orders', '1.0.0'],
  ['registry.example.com:5000/orders', 'orders', 'latest'],
  ['comanda/orders@sha256:ab12', 'orders', 'sha256:ab12'],
])('when an image is %s, then its name is %s and its tag %s', (text, name, tag) => {
  expect(readImage(text)).toEqual({ name, tag });
});
