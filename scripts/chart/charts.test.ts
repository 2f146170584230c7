import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { serviceImage } from '@comanda/local-stack/service-image';
import { perService, serviceNames, stackSettings, type ServiceName } from '@comanda/local-stack/stack-settings';
import { parse, stringify } from 'yaml';
import { checkSettings, secretValues } from './check-charts.ts';
import { environmentOf, podsOf, type Container, type PodTemplate } from './containers.ts';
import { knownSettings, type KnownSettings } from './known-settings.ts';
import { exampleEnvironment, readObjects, renderChart, type KubernetesObject } from './render.ts';
import { findTools } from './tools.ts';

const tools = findTools();
/** These tests need helm and kubeconform, as built by `npm run chart`. */
const describeWithTools = tools ? describe : describe.skip;
const render = (service: string, ...set: string[]): Promise<string> =>
  renderChart({ tools: tools!, service, environment: exampleEnvironment, set });
const secretOf = (path: string): string => secretValues[path.split('/').at(-1) ?? ''] ?? '';
const find = (objects: readonly KubernetesObject[], kind: string, name?: string): KubernetesObject | undefined =>
  objects.find((object) => object.kind === kind && (name === undefined || object.metadata.name === name));

const publicUrls = { gateway: 'https://menu.example.com', notifier: 'https://feed.example.com' };
const key = secretValues['service_secret'] ?? '';
/** The settings from `stackSettings` for services that use each other's names and their images' ports. */
const expected = stackSettings({
  urls: perService((name) => `http://${name}:${serviceImage(name).ownEnv['PORT']}`),
  publicUrls,
  servers: {
    mongodbUri: secretValues['mongodb_uri'] ?? '',
    redisUrl: secretValues['redis_url'] ?? '',
    rabbitmqUrl: secretValues['rabbitmq_url'] ?? '',
  },
  secrets: {
    authSealingSecret: secretValues['key_sealing_secret'] ?? '',
    transfersSealingSecret: secretValues['key_sealing_secret'] ?? '',
    pinPepper: secretValues['pin_pepper'] ?? '',
    services: perService(() => key),
  },
});
/** Returns the names of the services that a part of a network policy mentions. */
const servicesIn = (rules: unknown): string[] =>
  [...JSON.stringify(rules).matchAll(/"app.kubernetes.io\/name":"([a-z-]+)"/g)].map(([, name = '']) => name).toSorted();
type Selector = {
  matchLabels: Record<string, string>;
  matchExpressions?: { key: string; operator: 'In'; values: string[] }[];
};
type Policy = { ingress: { from: { podSelector?: Selector }[] }[] };
const selects = ({ matchLabels, matchExpressions = [] }: Selector, labels: Record<string, string>): boolean =>
  Object.entries(matchLabels).every(([name, value]) => labels[name] === value) &&
  matchExpressions.every(({ key: name, values }) => values.includes(labels[name] ?? ''));
/** Returns the services whose calls this service accepts. Empty if it accepts none. */
const callersOf = (name: ServiceName): string[] =>
  (expected[name]['CALLER_SECRETS'] ?? '').split(',').flatMap((each) => each.split(':')[0] || []);

describeWithTools.each(serviceNames)('the chart of %s', (service) => {
  let yaml = '';
  let objects: KubernetesObject[] = [];
  let pod: PodTemplate;
  let container: Container;
  let known: KnownSettings;
  beforeAll(async () => {
    known = (await knownSettings())[service];
    yaml = await render(service);
    objects = readObjects(yaml);
    pod = podsOf(yaml).find(({ kind }) => kind === 'Deployment')!.pod;
    container = pod.spec.containers[0]!;
  });

  test('the service accepts the settings from its pod and Job', async () => {
    await expect(checkSettings(service, yaml)).resolves.toBeUndefined();
    for (const each of podsOf(yaml)) expect(each.pod.spec.containers[0]?.env).toEqual(container.env);
  });

  test('the pod has all settings that the local stack gives the service', () => {
    const { CALLER_SECRETS: _callers, ...own } = expected[service];

    const { env, ownEnv } = serviceImage(service);
    expect({ ...env, ...ownEnv, ...environmentOf(container, secretOf) }).toMatchObject(own);
  });

  test('every variable in the pod is a setting of the service', () => {
    const names = container.env.map(({ name }) => name);
    const secretFiles = [...known.secrets, ...known.optionalSecrets].map((name) => `${name}_FILE`);

    expect([...known.settings, ...secretFiles]).toEqual(expect.arrayContaining(names));
    expect(names).toEqual(expect.arrayContaining([...Object.keys(known.required), ...secretFiles]));
    expect(pod.spec.volumes.find(({ name }) => name === 'secrets')?.secret).toMatchObject({
      secretName: `comanda-${service}`,
      items: known.secrets.map((name) => ({ key: name.toLowerCase(), path: name.toLowerCase() })),
    });
    expect(pod.spec.volumes.find(({ name }) => name === 'optional-secrets')?.secret).toMatchObject({
      secretName: `comanda-${service}`,
      optional: true,
      items: known.optionalSecrets.map((name) => ({ key: name.toLowerCase(), path: name.toLowerCase() })),
    });
    expect(container.volumeMounts).toEqual(
      expect.arrayContaining([
        { name: 'secrets', mountPath: '/run/secrets/comanda', readOnly: true },
        { name: 'optional-secrets', mountPath: '/run/secrets/optional', readOnly: true },
      ]),
    );
  });

  test('the pod has few rights and enough time to close', () => {
    for (const each of podsOf(yaml)) {
      expect(each.pod.spec).toMatchObject({
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
      });
      expect(each.pod.spec.containers[0]?.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    }
    const drainMs = Number(container.env.find(({ name }) => name === 'DRAIN_DELAY_MS')?.value);
    expect(drainMs).toBeGreaterThan(0);
    expect(pod.spec.terminationGracePeriodSeconds).toBeGreaterThan(drainMs / 1000 + 20);
  });

  test('probes use the internal port if there is one', () => {
    const { port, ...path } = container.readinessProbe!.httpGet;
    const isPublic = known.settings.includes('METRICS_AGE_MS');

    expect({ port, ...path }).toEqual({ port: isPublic ? 'metrics' : 'http', path: '/readyz' });
    expect(container.ports).toContainEqual({
      name: 'http',
      containerPort: Number(serviceImage(service).ownEnv['PORT']),
    });
    const annotated = find(objects, 'Deployment')?.spec?.['template'] as { metadata: { annotations: object } };
    const probed = container.ports?.find(({ name }) => name === port)?.containerPort;
    expect(annotated.metadata.annotations).toMatchObject({ 'prometheus.io/port': String(probed) });
  });

  test('a call to a service is allowed by both network policies', async () => {
    const called = serviceNames.filter((name) =>
      container.env.some(({ value }) => URL.parse(value)?.hostname === name),
    );
    const policy = find(objects, 'NetworkPolicy', service)?.spec;

    expect(servicesIn(policy?.['egress'])).toEqual(called.toSorted());
    for (const name of called) {
      const theirs = find(readObjects(await render(name)), 'NetworkPolicy', name)?.spec;
      expect(servicesIn(theirs?.['ingress'])).toContain(service);
    }
  });

  test('the policy allows the callers whose secrets the service has', () => {
    const callers = servicesIn(find(objects, 'NetworkPolicy', service)?.spec?.['ingress']);

    // Requests that the gateway forwards have no signature.
    const isSigned = (name: string): boolean => name !== 'gateway';
    expect(callers.filter(isSigned)).toEqual(callersOf(service).filter(isSigned).toSorted());
  });

  test('a Job prepares the database before the pods start', () => {
    const hooks = objects.filter(
      ({ metadata }) => metadata.annotations?.['helm.sh/hook'] === 'pre-install,pre-upgrade',
    );

    const stores = known.secrets.includes('MONGODB_URI');
    expect(hooks.map(({ kind }) => kind).toSorted()).toEqual(stores ? ['Job', 'NetworkPolicy'] : []);
  });

  test("the Job that prepares the database has only the database's secret", () => {
    const jobs = podsOf(yaml).filter(({ kind }) => kind === 'Job');
    const secrets = jobs.map((job) => job.pod.spec.volumes.find(({ name }) => name === 'secrets')?.secret?.items);

    const stores = known.secrets.includes('MONGODB_URI');
    expect(secrets).toEqual(stores ? [[{ key: 'mongodb_uri', path: 'mongodb_uri' }]] : []);
  });
});

describeWithTools("an operator's command", () => {
  test("a command's Job reaches the same servers and services as the service", async () => {
    const yaml = await render('orders', 'run={node,dist/after-restore.js}');

    const objects = readObjects(yaml);
    const [job, policy] = [find(objects, 'Job'), find(objects, 'NetworkPolicy')];
    expect(objects).toHaveLength(2);
    expect(job).toMatchObject({ kind: 'Job', metadata: { name: 'orders-run' }, spec: { backoffLimit: 0 } });
    expect(podsOf(yaml)[0]?.pod.spec.containers[0]?.command).toEqual(['node', 'dist/after-restore.js']);
    expect(job?.metadata.annotations).toBeUndefined();
    expect(policy).toMatchObject({ kind: 'NetworkPolicy', metadata: { name: 'orders-run' } });
    expect(JSON.stringify(policy?.spec?.['egress'])).toContain('5671');
    await expect(checkSettings('orders', yaml)).resolves.toBeUndefined();
  });

  test("a service that the command calls accepts the command's pod", async () => {
    const job = readObjects(await render('transfers', 'run={node,dist/verify-ledger.js}'));
    const { labels } = (find(job, 'Job')!.spec!['template'] as { metadata: { labels: Record<string, string> } })
      .metadata;
    const { ingress } = find(readObjects(await render('auth-stepup')), 'NetworkPolicy', 'auth-stepup')!.spec as Policy;

    const admits = (of: Record<string, string>): boolean =>
      ingress.some(({ from }) => from.some(({ podSelector }) => podSelector && selects(podSelector, of)));
    expect(admits(labels)).toBe(true);
    expect(admits({ ...labels, 'app.kubernetes.io/component': 'service' })).toBe(true);
    expect(admits({ ...labels, 'app.kubernetes.io/component': 'prepare' })).toBe(false);
  });

  test('a command that prepares the database gets the account for it', async () => {
    const yaml = await render('orders', 'run={node,dist/prepare.js}', 'prepare.secretName=comanda-orders-prepare');

    const [job, ...others] = podsOf(yaml);
    expect(others).toEqual([]);
    expect(job?.pod.spec.volumes.find(({ name }) => name === 'secrets')?.secret).toMatchObject({
      secretName: 'comanda-orders-prepare',
      items: [{ key: 'mongodb_uri', path: 'mongodb_uri' }],
    });
  });
});

describeWithTools('values in a file', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'charts-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  /** Renders the orders chart with the example environment and these values. */
  async function renderWith(values: object): Promise<string> {
    const environment = join(folder, 'environment.yaml');
    const example = parse(readFileSync(exampleEnvironment, 'utf8')) as { global: object };
    writeFileSync(environment, stringify({ ...example, ...values }));
    return renderChart({ tools: tools!, service: 'orders', environment });
  }

  test('large numbers in a tag or Secret version keep all their digits', async () => {
    const yaml = await renderWith({ image: { tag: 20_261_126 }, secretsVersion: 20_261_126 });

    expect(yaml).toContain('registry.example.com/comanda/orders:20261126\n');
    expect(yaml).toContain('comanda/secrets: "20261126"');
    expect(yaml).not.toContain('e+07');
  });

  test('a tag that is too long for a label is shortened', async () => {
    const yaml = await renderWith({ image: { tag: `${'a'.repeat(62)}.${'b'.repeat(30)}` } });

    const versions = readObjects(yaml).map(({ metadata }) => metadata.labels?.['app.kubernetes.io/version']);
    expect(new Set(versions)).toEqual(new Set(['a'.repeat(62)]));
  });

  test("a setting without a value has the service's default", async () => {
    const yaml = await renderWith({ settings: { MONGODB_DATABASE: null, TIME_ZONE: null } });

    const env = environmentOf(podsOf(yaml)[0]!.pod.spec.containers[0]!, secretOf);
    expect(env).toMatchObject({ MONGODB_DATABASE: '', TIME_ZONE: '' });
  });
});

describeWithTools('the route for clients', () => {
  const kindsOf = async (service: string, ...set: string[]): Promise<KubernetesObject[]> =>
    readObjects(await render(service, ...set)).filter(({ kind }) => kind === 'Ingress' || kind === 'HTTPRoute');

  test.each(['gateway', 'notifier'] as const)('a single value selects the kind of route for %s', async (service) => {
    const [ingress, gateway, none] = await Promise.all(
      ['ingress', 'gateway', 'none'].map((kind) => kindsOf(service, `global.route.kind=${kind}`)),
    );
    const host = new URL(publicUrls[service]).hostname;

    expect(ingress).toMatchObject([{ kind: 'Ingress', spec: { rules: [{ host }], tls: [{ hosts: [host] }] } }]);
    expect(gateway).toMatchObject([
      { kind: 'HTTPRoute', spec: { hostnames: [host], parentRefs: [{ name: 'public' }] } },
    ]);
    expect(none).toEqual([]);
  });

  test('a separate staff host gives the gateway a second route', async () => {
    const setting = 'global.settings.STAFF_URL=https://staff.example.com';
    const hosts = [new URL(publicUrls.gateway).hostname, 'staff.example.com'];
    const [ingress, gateway, notifier] = await Promise.all([
      kindsOf('gateway', 'global.route.kind=ingress', setting),
      kindsOf('gateway', 'global.route.kind=gateway', setting),
      render('notifier', setting),
    ]);

    expect(ingress).toMatchObject([{ spec: { rules: hosts.map((host) => ({ host })), tls: [{ hosts }] } }]);
    expect(gateway).toMatchObject([{ spec: { hostnames: hosts } }]);
    const origins = environmentOf(podsOf(notifier)[0]!.pod.spec.containers[0]!, secretOf)['ALLOWED_ORIGINS'];
    expect(origins).toBe(`${publicUrls.gateway},https://staff.example.com`);
  });

  test('a single URL for gateway and feed leaves the notifier without a route', async () => {
    expect(await kindsOf('notifier', `global.settings.NOTIFIER_PUBLIC_URL=${publicUrls.gateway}`)).toEqual([]);
  });
});
