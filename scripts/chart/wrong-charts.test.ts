import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { checkSettings, validate } from './check-charts.ts';
import { exampleEnvironment, renderChart } from './render.ts';
import { findTools } from './tools.ts';

const tools = findTools();
/** These tests need helm and kubeconform, as built by `npm run chart`. */
const describeWithTools = tools ? describe : describe.skip;
const render = (service: string, ...set: string[]): Promise<string> =>
  renderChart({ tools: tools!, service, environment: exampleEnvironment, set });

describeWithTools('a wrong chart', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'charts-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each([
    ['settings.CURENCY=BRL', 'settings.CURENCY: orders takes no such setting'],
    [
      'settings.MONGODB_URI=x',
      'settings.MONGODB_URI is a secret: write it into the Secret comanda-orders, key mongodb_uri',
    ],
    ['global.settings.CURENCY=BRL', 'global.settings.CURENCY: no service takes this setting'],
    ['defaultSettings.JWKS_URL=', 'global.settings.JWKS_URL is missing: URL of the public keys'],
    [
      'global.settings.OTEL_EXPORTER_OTLP_ENDPOINT=http://collector:4318,global.networkPolicy.servers.collector=null',
      'global.networkPolicy.servers.collector is missing',
    ],
    ['replicaz=3', 'replicaz: there is no such value'],
    ['global.netwrk=x', 'global.netwrk: there is no such value'],
    ['global.networkPolicy.servers.rabbitmq=null', 'global.networkPolicy.servers.rabbitmq is missing'],
    ['global.route.kind=ingres', 'global.route.kind is ingres: use ingress, gateway (Gateway API) or none.'],
    ['global.images=', 'global.images is missing'],
    ['image.tagg=1.1.0', 'image.tagg: there is no such value'],
    ['autoscaling.mx=9', 'autoscaling.mx: there is no such value'],
    ['prepare.enabld=false', 'prepare.enabld: there is no such value'],
    ['global.networkPolicy.enable=true', 'global.networkPolicy.enable: there is no such value'],
    ['autoscaling.enabled=true,autoscaling.min=9', 'autoscaling.min is 9, and autoscaling.max is 6'],
    [
      'settings.DRAIN_DELAY_MS=10000',
      'terminationGracePeriodSeconds is 30: with DRAIN_DELAY_MS 10000, a pod needs up to 30 s to stop, and a reserve.',
    ],
  ])('helm rejects %s and names it', async (set, message) => {
    await expect(render('orders', set)).rejects.toThrow(message);
  });

  test.each([
    ['gateway', 'settings.TLS_CERT_FILE=/tls/cert.pem', 'settings.TLS_CERT_FILE: gateway takes no such setting'],
    ['gateway', 'global.settings.STAFF_URL=https://menu.example.com', 'global.settings.STAFF_URL has the host of'],
  ] as const)('helm rejects %s with %s and names it', async (service, set, message) => {
    await expect(render(service, set)).rejects.toThrow(message);
  });

  // Kubernetes treats an empty list of peers as all peers.
  test.each([
    ['ingress', { ingress: [] }],
    ['monitoring', { monitoring: [] }],
    ['servers.redis', { servers: { redis: { ports: [{ port: 6379 }], to: [] } } }],
    ['servers.redis', { servers: { redis: { ports: [{ port: 6379 }], to: null } } }],
  ])('helm rejects a global.networkPolicy.%s without peers', async (name, networkPolicy) => {
    const environment = writeValues({ networkPolicy });

    await expect(renderChart({ tools: tools!, service: 'gateway', environment })).rejects.toThrow(
      `global.networkPolicy.${name} is missing`,
    );
  });

  test('helm rejects the Gateway API without a Gateway', async () => {
    const environment = writeValues({ route: { kind: 'gateway', gateway: { parentRefs: [] } } });

    await expect(renderChart({ tools: tools!, service: 'gateway', environment })).rejects.toThrow(
      'global.route.gateway.parentRefs is missing',
    );
  });

  /** Writes the example environment to a file, with these other fields in `global`. Returns the file's path. */
  function writeValues({ networkPolicy = {}, ...others }: Record<string, object>): string {
    const { global } = parse(readFileSync(exampleEnvironment, 'utf8')) as { global: Record<string, object> };
    const file = join(folder, 'environment.yaml');
    const policy = { ...global['networkPolicy'], ...networkPolicy };
    writeFileSync(file, stringify({ global: { ...global, ...others, networkPolicy: policy } }));
    return file;
  }

  test('a value that the service rejects fails the check', async () => {
    const yaml = await render('orders', 'settings.CUSTOMER_ORDERS=everywhere');

    await expect(checkSettings('orders', yaml)).rejects.toThrow(
      /orders, Deployment: [^]*CUSTOMER_ORDERS: must be one of/,
    );
  });

  test('an object with a field unknown to Kubernetes is rejected', async () => {
    const file = join(folder, 'orders.yaml');
    writeFileSync(file, await render('orders', 'resources.limitz.cpu=1'));

    await expect(validate(tools!, 'orders', file)).rejects.toThrow(/orders, Deployment orders: .*limitz/);
  });
});
