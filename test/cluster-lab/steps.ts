import { randomBytes } from 'node:crypto';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { perService, type ServiceName } from '@comanda/local-stack/stack-settings';
import { fail, installOrder, podsOf, revisionOf, rollBack, settled, succeed, tagsOf, upgrade } from './releases.ts';
import type { Lab } from './start-lab.ts';

/** Something that is done to the cluster while guests order. `run` throws if Kubernetes or helm does something else. */
export type Step = {
  name: string;
  /** The fewest ready pods that each service may have meanwhile; 2 by default. */
  fewest?: number;
  run: (lab: Lab) => Promise<void>;
};

export const first = '1.0.0';
const second = '1.1.0';

export const steps: readonly Step[] = [
  ...installOrder.map((service) => upgraded(service)),
  ...installOrder.map((service) => rolledBack(service)),
  wrongSecret('orders'),
  wrongKeyAddress('gateway'),
  missingImage('transfers'),
  { name: 'the SERVICE_SECRET of each service, sealing secrets and the pepper are replaced', run: replaceSecrets },
  { name: 'node-2 is drained', fewest: 1, run: drain },
  { name: 'orders and notifier are scaled to four pods', run: (lab) => scale(lab, 4) },
  { name: 'orders and notifier are scaled to two pods', run: (lab) => scale(lab, 2) },
];

function upgraded(service: ServiceName): Step {
  return {
    name: `${service} is upgraded to ${second}`,
    run: async (lab) => {
      lab.images.publish(service, second);
      await succeed(upgrade(lab, { service, set: [`image.tag=${second}`] }));
      await settled(lab, service);
      await expectTags(lab, service, second);
    },
  };
}

function rolledBack(service: ServiceName): Step {
  return {
    name: `${service} is rolled back to ${first}`,
    run: async (lab) => {
      await succeed(rollBack(lab, service, (await revisionOf(lab, service)) - 1));
      await settled(lab, service);
      await expectTags(lab, service, first);
    },
  };
}

async function expectTags(lab: Lab, service: ServiceName, expected: string): Promise<void> {
  const tags = await tagsOf(lab, service);
  if (tags.some((tag) => tag !== expected)) throw new Error(`pods of ${service} run ${tags.join(' and ')}`);
}

/** The Secret is changed as docs/operations.md says, to something that the other services refuse. */
function wrongSecret(service: ServiceName): Step {
  return {
    name: `${service} gets a wrong SERVICE_SECRET; helm rolls it back (--atomic)`,
    run: async (lab) => {
      const before = await namesOf(lab, service);
      const right = join(lab.secretsFolder, service);
      const wrong = join(lab.secretsFolder, `wrong-${service}`);
      cpSync(right, wrong, { recursive: true });
      writeFileSync(join(wrong, 'service_secret'), randomBytes(32).toString('base64'));
      await applySecret(lab, service, wrong);
      const set = [`image.tag=${first}`, 'secretsVersion=2'];
      await fail(upgrade(lab, { service, set, flags: ['--atomic', '--timeout', '40s'] }), /rolled back due to atomic/);
      await applySecret(lab, service, right);
      await settled(lab, service);
      await expectSame(lab, service, before);
    },
  };
}

/** In the steps of docs/operations.md, each for all services that it concerns, which restart one after the other. */
async function replaceSecrets(lab: Lab): Promise<void> {
  const read = (service: ServiceName, name: string): string =>
    readFileSync(join(lab.secretsFolder, service, name), 'utf8');
  const restart = async (service: ServiceName, step: string, changed: Record<string, string>): Promise<void> => {
    for (const [name, content] of Object.entries(changed))
      writeFileSync(join(lab.secretsFolder, service, name), content);
    await applySecret(lab, service, join(lab.secretsFolder, service));
    await succeed(upgrade(lab, { service, set: [`image.tag=${first}`, `secretsVersion=${step}`] }));
    await settled(lab, service);
  };
  const newSecret = (): string => randomBytes(32).toString('base64');
  const ofServices = perService(newSecret);
  const called = (['auth-stepup', 'transfers', 'orders'] as const).map((service) => {
    const old = read(service, 'caller_secrets');
    return {
      service,
      old,
      next: old.replaceAll(/([^,:]+):[^,]+/g, (_, name: ServiceName) => `${name}:${ofServices[name]}`),
    };
  });
  const sealing = (['auth-stepup', 'transfers'] as const).map((service) => {
    const names = service === 'auth-stepup' ? ['key_sealing_secret', 'pin_pepper'] : ['key_sealing_secret'];
    return { service, pairs: names.map((name) => ({ name, old: read(service, name), next: `next:${newSecret()}` })) };
  });
  const sealingOf = (service: ServiceName, inOrder: (old: string, next: string) => string): Record<string, string> => {
    const pairs = sealing.find((each) => each.service === service)?.pairs ?? [];
    return Object.fromEntries(pairs.map(({ name, old, next }) => [name, inOrder(old, next)]));
  };

  for (const { service, old, next } of called) {
    const both = sealingOf(service, (oldSecret, newOne) => `${oldSecret},${newOne}`);
    await restart(service, 'added', { caller_secrets: `${old},${next}`, ...both });
  }
  for (const service of installOrder) {
    const both = sealingOf(service, (oldSecret, newOne) => `${newOne},${oldSecret}`);
    await restart(service, 'used', { service_secret: ofServices[service], ...both });
  }
  for (const { service, next } of called) await restart(service, 'removed', { caller_secrets: next });
}

async function applySecret(lab: Lab, service: ServiceName, folder: string): Promise<void> {
  await lab.kubectl('delete', 'secret', `comanda-${service}`);
  await lab.kubectl('create', 'secret', 'generic', `comanda-${service}`, `--from-file=${folder}`);
}

/** Nobody sees it at the time of the upgrade but the new pod, which never gets ready. */
function wrongKeyAddress(service: ServiceName): Step {
  return {
    name: `${service} gets a wrong JWKS_URL; an operator rolls it back`,
    run: async (lab) => {
      const before = await namesOf(lab, service);
      const revision = await revisionOf(lab, service);
      const set = [`image.tag=${first}`, 'settings.JWKS_URL=http://auth-stepup:3002/.well-known/keys.json'];
      await fail(upgrade(lab, { service, set, flags: ['--wait', '--timeout', '30s'] }), /context deadline exceeded/);
      await succeed(rollBack(lab, service, revision));
      await settled(lab, service);
      await expectSame(lab, service, before);
    },
  };
}

function missingImage(service: ServiceName): Step {
  return {
    name: `${service} gets an image that is missing; helm rolls it back (--atomic)`,
    run: async (lab) => {
      const before = await namesOf(lab, service);
      const flags = ['--atomic', '--timeout', '20s'];
      await fail(
        upgrade(lab, { service, set: ['image.tag=9.9.9'], flags }),
        /rolled back due to atomic|pre-upgrade hooks failed/,
      );
      await settled(lab, service);
      await expectSame(lab, service, before);
    },
  };
}

const namesOf = async (lab: Lab, service: ServiceName): Promise<string> =>
  (await podsOf(lab, service))
    .map(({ metadata }) => metadata.name)
    .toSorted()
    .join();

async function expectSame(lab: Lab, service: ServiceName, before: string): Promise<void> {
  const now = await namesOf(lab, service);
  if (now !== before) throw new Error(`the pods of ${service} were ${before} and are ${now}`);
}

async function drain(lab: Lab): Promise<void> {
  await lab.kubectl('drain', 'node-2', '--ignore-daemonsets', '--timeout=180s');
  for (const service of installOrder) await settled(lab, service);
  const left = (await Promise.all(installOrder.map((service) => podsOf(lab, service)))).flat();
  if (left.some(({ spec }) => spec.nodeName === 'node-2')) throw new Error('node-2 still has pods');
  await lab.kubectl('uncordon', 'node-2');
}

async function scale(lab: Lab, replicas: number): Promise<void> {
  await lab.kubectl('scale', 'deployment/orders', 'deployment/notifier', `--replicas=${replicas}`);
  await Promise.all([settled(lab, 'orders', replicas), settled(lab, 'notifier', replicas)]);
}
