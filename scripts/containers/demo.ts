import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { neverPrintedByTour, printedByTour, readTour, refusedByTour } from '@comanda/local-stack/tour';
import { root } from '@comanda/local-stack/root';
import { refusal } from '@comanda/local-stack/servers/refusal';
import { freePort } from '@comanda/local-stack/servers/free-port';
import { containersOf, createDocker, type Docker } from './docker.ts';
import { paste } from './paste.ts';
import { expectIn, type Step } from './step.ts';

export type Place = {
  /** The folder for this run. */
  folder: string;
  step: Step;
  signal: AbortSignal;
};

/** The shell prints this line after the sign-in with the demo's own passwords. The tour's output follows. */
const signedIn = 'signed in with the passwords of this demo';

/** Checks the demo in docker-compose.yml from build to removal, and the tour for readers who have only Docker. */
export async function checkDemo({ folder, step, signal }: Place): Promise<void> {
  const files = [join(root, 'docker-compose.yml')];
  const [gatewayPort, notifierPort] = [await freePort(), await freePort()];
  const env = {
    ...process.env,
    COMPOSE_PROJECT_NAME: 'comanda-check',
    COMPOSE_FILE: files[0], // The commands in the tour need this variable.
    GATEWAY_PORT: String(gatewayPort),
    NOTIFIER_PORT: String(notifierPort),
  };
  const docker = createDocker({ files, env, signal });
  const atEnd = createDocker({ files, env });
  const removeAll = (): Promise<string> => atEnd.compose('down', '--volumes', '--remove-orphans', '--rmi', 'local');
  mkdirSync(join(folder, '.comanda'));
  for (const name of ['node_modules', 'package.json']) symlinkSync(join(root, name), join(folder, name));
  const { blocks, forDocker } = readTour();
  const pasteHere = (texts: readonly string[]): Promise<string> => {
    const ported = texts.map((text) =>
      text
        .replaceAll('http://localhost:3000', `http://localhost:${gatewayPort}`)
        .replaceAll('http://localhost:3004', `http://localhost:${notifierPort}`),
    );
    return paste(ported, { cwd: folder, env });
  };
  const [signIns = '', ...others] = blocks;
  await removeAll(); // removes what a killed run has left behind
  const volumesBefore = new Set(await volumes(docker));
  try {
    await step('the images of the demo are built', () => docker.showCompose('build'));
    await step('docker compose up --wait', () => docker.showCompose('up', '--wait'));
    await step('no container was started twice', () => expectNoRestart(docker));
    await step('pages, API and health answer', () => checkPages(`http://localhost:${gatewayPort}`));
    await step("the README's tour, with Docker alone", async () => {
      const output = await pasteHere([signIns, ...forDocker, `echo '${signedIn}'`, ...others]);
      const [before = '', tour = ''] = output.split(signedIn);
      expectIn(before, ['"email":"customer@comanda.test"'], 'The sign-in');
      checkTour(tour);
    });
    await step('all of it stops, and each service ends with 0', () => stopAll(docker));
    await step('docker compose down, and up again', async () => {
      await docker.compose('down');
      await docker.showCompose('up', '--wait');
    });
    await step('passwords and orders are still there', async () => {
      const listOrders = 'call "$MANAGER" "$API/orders?limit=1"';
      const output = await pasteHere([signIns, ...forDocker, listOrders]);
      expectIn(output, ['"email":"customer@comanda.test"', '"name":"Feijoada"'], 'The API');
    });
    await step('docker compose down --volumes leaves no volume', async () => {
      await docker.compose('down', '--volumes');
      const left = (await volumes(docker)).filter((name) => !volumesBefore.has(name));
      if (left.length > 0) throw refusal(`These volumes are left: ${left.join(', ')}`);
    });
  } catch (error) {
    throw await withLogs(atEnd, error);
  } finally {
    await removeAll();
  }
}

const volumes = async (docker: Docker): Promise<string[]> =>
  (await docker.succeed(['volume', 'ls', '--quiet'])).split('\n').filter(Boolean);

/** Adds the last log lines of each unhealthy container to an error. */
export async function withLogs(docker: Docker, error: unknown): Promise<unknown> {
  if (!(error instanceof Error)) return error;
  const containers = await containersOf(docker).catch(() => []);
  const unwell = containers.filter(
    ({ RestartCount, State }) => RestartCount > 0 || State.Status !== 'running' || State.Health?.Status === 'unhealthy',
  );
  for (const { Id, service } of unwell) {
    const { output } = await docker.run(['logs', '--tail', '40', Id]);
    error.message += `\n${service} last said:\n${output}`;
  }
  return error;
}

export async function expectNoRestart(docker: Docker): Promise<void> {
  const restarted = (await containersOf(docker)).filter(({ RestartCount }) => RestartCount > 0);
  if (restarted.length > 0)
    throw refusal(
      `Started again: ${restarted.map(({ service, RestartCount }) => `${service} ${RestartCount}×`).join(', ')}`,
    );
}

export async function stopAll(docker: Docker): Promise<void> {
  await docker.compose('stop');
  const wrong = (await containersOf(docker)).filter(({ State }) => State.ExitCode !== 0);
  if (wrong.length > 0)
    throw refusal(`Not ended with 0: ${wrong.map(({ service, State }) => `${service} ${State.ExitCode}`).join(', ')}`);
}

async function checkPages(gatewayUrl: string): Promise<void> {
  for (const path of ['/', '/kitchen', '/docs', '/openapi.json', '/menu', '/livez', '/readyz']) {
    const { status } = await fetch(gatewayUrl + path);
    if (status !== 200) throw refusal(`${path} is answered with ${status}.`);
  }
  const { status } = await fetch(`${gatewayUrl}/metrics`);
  if (status !== 404) throw refusal(`/metrics is answered with ${status} at the port for clients.`);
}

function checkTour(output: string): void {
  expectIn(output, [...printedByTour, 'order.created', 'order.status_changed'], 'The tour');
  const refused = [...output.matchAll(/"code":"(\w+)"/g)].map(([, code]) => code);
  if (refused.join() !== refusedByTour.join() || neverPrintedByTour.test(output))
    throw refusal(`The tour printed what it should not:\n${output.slice(-4000)}`);
}
