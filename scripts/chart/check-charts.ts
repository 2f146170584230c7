import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '@comanda/shared/config/load-config';
import { comandaDir } from '@comanda/local-stack/root';
import { run } from '@comanda/local-stack/servers/command';
import { refusal } from '@comanda/local-stack/servers/refusal';
import { serviceImage } from '@comanda/local-stack/service-image';
import { settingsOfService } from '@comanda/local-stack/settings-of-service';
import { environmentOf, podsOf } from './containers.ts';
import { lintChart, renderChart } from './render.ts';
import type { ChartTools } from './tools.ts';

type Check = { tools: ChartTools; service: string; environment: string };

/** The kube-score checks to leave out, with reasons. */
const notScored = [
  'container-security-context-user-group-id', // This check requires a user above 10,000, but the images' files belong to user 1000.
  'container-image-pull-policy', // This check requires Always, but an image is identified by its version or digest, which never changes.
  'deployment-has-host-podantiaffinity', // topologySpreadConstraints spread the pods too, and still work with fewer nodes.
];

/**
 * Renders, lints, validates and scores a service's chart.
 * @throws Refusal that says what is wrong and how to fix it
 */
export async function checkChart({ tools, service, environment }: Check): Promise<{ objects: number }> {
  await lintChart({ tools, service, environment });
  const yaml = await renderChart({ tools, service, environment });
  const folder = join(comandaDir, 'chart', 'rendered');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${service}.yaml`);
  writeFileSync(file, yaml);
  await checkSettings(service, yaml);
  const objects = await validate(tools, service, file);
  await score(tools, service, file);
  return { objects };
}

/**
 * Checks that the service would accept its settings when it starts. A chart contains no secrets, so they get valid values here.
 * @throws Refusal
 */
export async function checkSettings(service: string, yaml: string): Promise<void> {
  const settings = await settingsOfService(service);
  const image = serviceImage(service);
  for (const { kind, pod } of podsOf(yaml))
    for (const container of pod.spec.containers) {
      const env = environmentOf(container, (path) => secretValues[path.split('/').at(-1) ?? ''] ?? '');
      try {
        loadConfig(settings, { ...image.env, ...image.ownEnv, ...env });
      } catch (error) {
        throw refusal(`${service}, ${kind}: ${(error as Error).message}`, error);
      }
    }
}

const key = Buffer.alloc(32, 7).toString('base64');
/** A valid value for each file in a Secret. */
export const secretValues: Readonly<Record<string, string>> = {
  mongodb_uri: 'mongodb://service:secret@database/?replicaSet=main&tls=true',
  redis_url: 'rediss://:secret@redis',
  rabbitmq_url: 'amqps://service:secret@broker/main',
  key_sealing_secret: `first:${key}`,
  pin_pepper: `first:${key}`,
  service_secret: key,
  caller_secrets: ['gateway', 'orders', 'auth-stepup', 'transfers', 'notifier']
    .map((name) => `${name}:${key}`)
    .join(','),
};

/** Validates the objects against Kubernetes' schemas, and returns their number. */
export async function validate(tools: ChartTools, service: string, file: string): Promise<number> {
  const location = `${tools.schemas}/{{.ResourceKind}}{{.KindSuffix}}.json`;
  const { code, output } = await run({
    command: tools.kubeconform,
    args: ['-strict', '-summary', '-output', 'json', '-schema-location', location, file],
  });
  const { resources, summary } = JSON.parse(output) as {
    resources: { kind: string; name: string; msg: string }[];
    summary: { valid: number };
  };
  if (code !== 0)
    throw refusal(resources.map(({ kind, name, msg }) => `${service}, ${kind} ${name}: ${msg}`).join('\n'));
  return summary.valid;
}

async function score(tools: ChartTools, service: string, file: string): Promise<void> {
  const ignored = notScored.flatMap((test) => ['--ignore-test', test]);
  const { code, output } = await run({
    command: tools.kubeScore,
    // A busy service may use CPU time that no other pod needs, so it has no CPU limit.
    args: ['score', '--output-format', 'ci', '--ignore-container-cpu-limit', '--exit-one-on-warning', ...ignored, file],
  });
  const found = output.split('\n').filter((line) => /^\[(CRITICAL|WARNING)\]/.test(line));
  if (code !== 0)
    throw refusal([`${service}: kube-score finds`, ...(found.length > 0 ? found : [output])].join('\n  '));
}
