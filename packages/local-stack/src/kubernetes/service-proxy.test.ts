import { describe, expect, test } from '@jest/globals';
import { targetsIn } from './service-proxy.ts';

type Endpoint = { addresses: string[]; conditions: { ready: boolean; serving: boolean } };
const slice = (service: string, endpoints: Endpoint[]) => ({
  metadata: { name: service, uid: service, resourceVersion: '1', labels: { 'kubernetes.io/service-name': service } },
  ports: [{ name: 'http', port: 3001 }],
  endpoints,
});
const endpoint = (address: string, ready: boolean, serving = ready): Endpoint => ({
  addresses: [address],
  conditions: { ready, serving },
});
const port = { service: 'orders', name: 'http' };

describe('where a connection to a Service goes', () => {
  test('when pods are ready, then to these, and not to one that stops or to another Service', () => {
    const orders = slice('orders', [endpoint('10.244.0.1', true), endpoint('10.244.0.2', false, true)]);
    const transfers = slice('transfers', [endpoint('10.244.0.3', true)]);

    expect(targetsIn([orders, transfers], port)).toEqual([{ host: '127.244.0.1', port: 3001 }]);
  });

  test('when none is ready, then to those that stop and still serve', () => {
    const orders = slice('orders', [endpoint('10.244.0.1', false), endpoint('10.244.0.2', false, true)]);

    expect(targetsIn([orders], port)).toEqual([{ host: '127.244.0.2', port: 3001 }]);
  });

  test('when the Service has no such port, then nowhere', () => {
    expect(
      targetsIn([slice('orders', [endpoint('10.244.0.1', true)])], { service: 'orders', name: 'metrics' }),
    ).toEqual([]);
  });
});
