import { once } from 'node:events';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { io } from 'socket.io-client';
import { root } from '@comanda/local-stack/root';
import { refusal } from '@comanda/local-stack/servers/refusal';
import { freePort } from '@comanda/local-stack/servers/free-port';
import { serviceNames, type ServiceName } from '@comanda/local-stack/stack-settings';
import { expectNoRestart, stopAll, withLogs, type Place } from './demo.ts';
import { createDocker, type Docker } from './docker.ts';
import { createAccounts, createInstallation } from './installation.ts';
import { pageBlock } from './page-block.ts';
import { orderAllTheTime, signInAsManager, type Restaurant } from './restaurant.ts';
import { checkRefusals } from './refusals.ts';
import { expectIn } from './step.ts';

const images = 'comanda-check';
const versions = { first: '0.0.1-check', next: '0.0.2-check' };
/** Not the subnet in the compose file, which may already be in use on this machine. */
const subnet = { all: '172.31.241.0/24', machine: '172.31.241.1' };

/** Checks docker-compose.production.yml as described in docs/run/one-server.md, and everything that it must reject. */
export async function checkProduction({ folder, step, signal }: Place): Promise<void> {
  const installation = createInstallation(folder);
  const files = [join(folder, 'docker-compose.production.yml'), join(folder, 'servers.yml')];
  const [gatewayPort, notifierPort] = [await freePort(), await freePort()];
  const env = {
    ...process.env,
    COMPOSE_PROJECT_NAME: 'comanda-check-production',
    IMAGES: images,
    VERSION: versions.first,
    PUBLIC_URL: 'https://menu.example.com',
    NOTIFIER_PUBLIC_URL: 'https://feed.example.com',
    TRUSTED_PROXIES: subnet.machine,
    SUBNET: subnet.all,
    GATEWAY_PORT: String(gatewayPort),
    NOTIFIER_PORT: String(notifierPort),
  };
  const docker = createDocker({ files, env, signal });
  const atEnd = createDocker({ files, env });
  const removeAll = (): Promise<string> => atEnd.compose('down', '--volumes', '--remove-orphans');
  const image = (service: ServiceName): string => `${images}/${service}:${versions.first}`;
  await removeAll();
  try {
    // The build context must be the repository, not this run's folder.
    const inRepository = createDocker({ files: [join(root, 'docker-compose.production.yml')], env, signal });
    await step('the images of production are built', () => inRepository.showCompose('build'));
    await checkRefusals({ docker, files, installation, step, image });
    await step('servers that ask who connects, with the accounts of docs/run/least-privilege.md', async () => {
      await docker.showCompose('up', '--detach', '--wait', 'mongodb', 'redis', 'rabbitmq');
      await createAccounts(docker, installation);
    });
    await step('the databases are prepared with the accounts for it', async () => {
      await promisify(execFile)('sh', ['-ec', pageBlock('prepare')], { cwd: folder, env });
    });
    const urls = { gateway: `http://127.0.0.1:${gatewayPort}`, notifier: `http://127.0.0.1:${notifierPort}` };
    await step('docker compose up --detach --wait', () => docker.showCompose('up', '--detach', '--wait'));
    await step('no container was started twice', () => expectNoRestart(docker));
    const restaurant = await step('a manager is created, signs in and writes a menu', () =>
      openRestaurant(docker, urls.gateway),
    );
    await step('a call that did not come over TLS is refused', () => expectTlsRequired(urls.gateway));
    await step('an order reaches a screen', () => seeOrder(restaurant, urls.notifier));
    await step('deploy/compose-update replaces orders, and no order is lost', () =>
      updateOrders({ restaurant, docker, folder }),
    );
    await step('verify-ledger runs; no account was opened', async () => {
      const output = await docker.compose('exec', '-T', 'transfers', 'node', 'dist/verify-ledger.js');
      expectIn(output, ['There is nothing to verify'], 'verify-ledger');
    });
    await step('all of it stops, and each service ends with 0', () => stopAll(docker));
  } catch (error) {
    throw await withLogs(atEnd, error);
  } finally {
    await removeAll();
    const built = Object.values(versions).flatMap((version) =>
      serviceNames.map((service) => `${images}/${service}:${version}`),
    );
    await atEnd.run(['image', 'rm', '--force', ...built]);
  }
}

async function openRestaurant(docker: Docker, url: string): Promise<Restaurant> {
  const password = 'ipe-amarelo-na-serra';
  const email = 'marta@example.com';
  const exec = ['exec', '-T', '-e', `MANAGER_PASSWORD=${password}`, 'auth-stepup'];
  await docker.compose(...exec, 'node', 'dist/create-manager.js', '--email', email, '--name', 'Marta');
  const restaurant = await signInAsManager({ url, email, password });
  await restaurant.addDish();
  return restaurant;
}

async function expectTlsRequired(gatewayUrl: string): Promise<void> {
  const response = await fetch(`${gatewayUrl}/menu`);
  const text = await response.text();
  if (response.status !== 403) throw refusal(`It was answered with ${response.status}.`);
  expectIn(text, ['tls_required'], 'The answer');
}

async function seeOrder(restaurant: Restaurant, notifierUrl: string): Promise<void> {
  const socket = io(notifierUrl, {
    transports: ['websocket'],
    auth: { token: restaurant.token },
    extraHeaders: { 'x-forwarded-proto': 'https' },
  });
  try {
    const signal = AbortSignal.timeout(10_000);
    const connected = Promise.withResolvers<void>();
    socket.on('connect_error', ({ message }) => connected.reject(refusal(`The screen cannot connect: ${message}`)));
    socket.on('feed', () => connected.resolve());
    await Promise.race([connected.promise, once(signal, 'abort')]);
    const seen = Promise.withResolvers<void>();
    socket.on('event', ({ type }: { type: string }) => {
      if (type === 'order.created') seen.resolve();
    });
    await restaurant.order();
    await Promise.race([seen.promise, once(signal, 'abort')]);
    if (signal.aborted) throw refusal('The screen has heard nothing of it within 10 s.');
  } finally {
    socket.close();
  }
}

type Update = { restaurant: Restaurant; docker: Docker; folder: string };
/**
 * Updates orders to the next version while orders are placed. The next version is a second tag for the same image: the check is
 * only about replacing the container.
 */
async function updateOrders({ restaurant, docker, folder }: Update): Promise<void> {
  await docker.succeed(['tag', `${images}/orders:${versions.first}`, `${images}/orders:${versions.next}`]);
  const load = orderAllTheTime(restaurant);
  const env = { ...docker.env, VERSION: versions.next };
  const { stdout } = await promisify(execFile)(join(folder, 'deploy/compose-update'), ['orders'], { env }).finally(
    load.stop,
  );
  expectIn(stdout, [`orders: 1 of ${versions.next}`], 'compose-update');
  const { placed, failed } = await load.result();
  if (failed.length > 0 || placed === 0)
    throw refusal(`${placed} orders were placed, and these were not: ${[...new Set(failed)].join(', ')}`);
  const running = await docker.compose('ps', '--format', '{{.Image}}', 'orders');
  expectIn(running, [`${images}/orders:${versions.next}`], 'docker compose ps');
}
