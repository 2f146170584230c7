import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { stackSettings } from '@comanda/local-stack/stack-settings';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { startServiceProcess, type ServiceProcess } from '@comanda/testing/service-process';
import { testSecrets } from '@comanda/testing/test-secrets';
import { makeTestCertificates, startTlsProxy, type TestCertificates, type TlsProxy } from '@comanda/testing/tls';
import { until } from '@comanda/testing/until';

let files: TestCertificates;
let settings: Record<string, string>;
let proxies: Record<'mongodb' | 'redis' | 'rabbitmq', TlsProxy>;
beforeAll(async () => {
  files = await makeTestCertificates();
  const servers = await isolatedServers('tls');
  proxies = {
    mongodb: await startTlsProxy(servers.mongodbUri, files),
    redis: await startTlsProxy(servers.redisUrl, files),
    rabbitmq: await startTlsProxy(servers.rabbitmqUrl, files),
  };
  const mongodb = proxies.mongodb.url('mongodb');
  // Otherwise, the driver would bypass the proxy by using the replica set's own address.
  mongodb.search = 'directConnection=true&tls=true';
  const urls = {
    ...servers,
    mongodbUri: mongodb.href,
    redisUrl: proxies.redis.url('rediss').href,
    rabbitmqUrl: proxies.rabbitmq.url('amqps').href,
  };
  settings = stackSettings({ servers: urls, secrets: testSecrets() })['auth-stepup'];
});
afterAll(() => Promise.all(Object.values(proxies).map(({ close }) => close())));

/** Returns the status of the three servers in auth-stepup's `/readyz`. */
async function serversOf({ url }: ServiceProcess): Promise<Record<string, string | undefined>> {
  const { dependencies } = (await (await fetch(`${url}/readyz`)).json()) as { dependencies: Record<string, string> };
  const { mongodb, redis, rabbitmq } = dependencies;
  return { mongodb, redis, rabbitmq };
}

describe('servers behind TLS', () => {
  test("receive nothing from a service that doesn't trust their certificate authority", async () => {
    const other = await makeTestCertificates();
    const received = () => Object.values(proxies).map((proxy) => proxy.received());
    const before = received();
    const service = await startServiceProcess(
      'auth-stepup',
      { ...settings, NODE_EXTRA_CA_CERTS: other.caFile },
      { prepares: false },
    );
    try {
      for (const message of ['waiting for MongoDB', 'Redis connection error', 'RabbitMQ cannot be reached'])
        await until(
          () =>
            service
              .output()
              .split('\n')
              .some((line) => line.includes(message) && /certificate/.test(line)),
          { what: `${message} because of the certificate`, timeoutMs: 30_000 },
        );
      expect(await serversOf(service)).toEqual({ mongodb: 'down', redis: 'down', rabbitmq: 'down' });
      expect(received()).toEqual(before);
    } finally {
      await service.end('SIGKILL');
    }
  });

  test('are used by a service once NODE_EXTRA_CA_CERTS names their certificate authority', async () => {
    const service = await startServiceProcess('auth-stepup', { ...settings, NODE_EXTRA_CA_CERTS: files.caFile });
    try {
      await service.ready();
      await until(async () => Object.values(await serversOf(service)).every((state) => state === 'up'), {
        what: 'all three to be up',
        timeoutMs: 30_000,
      });
      const keys = await fetch(`${service.url}/.well-known/jwks.json`);
      expect(((await keys.json()) as { keys: unknown[] }).keys).not.toHaveLength(0);
    } finally {
      await service.end('SIGTERM');
    }
  });
});
