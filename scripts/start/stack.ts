import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { defaultCurrency } from '@comanda/contracts/rules';
import { startFakeBank, type FakeBank } from '@comanda/local-stack/bank/fake-bank';
import { appFolders, buildApps } from '@comanda/local-stack/build-apps';
import { loadDemoSignIns, publicSignIns, type DemoSignIns } from '@comanda/local-stack/demo-sign-ins';
import { startSimulation } from '../simulation/simulation.ts';
import { comandaDir, programsDir } from '@comanda/local-stack/root';
import { findTableAddress, seedDemo } from '@comanda/local-stack/seed';
import { freePort } from '@comanda/local-stack/servers/free-port';
import { refusal } from '@comanda/local-stack/servers/refusal';
import { announcement } from './announce.ts';
import { findFirstManager } from './first-manager.ts';
import type { StartOptions } from './arguments.ts';
import { checkBeforeStart, lanAddress } from './before-start.ts';
import { lanAddresses, provideLanCertificate, type LanCertificate } from './lan-certificate.ts';
import { rotateLogs } from './logs.ts';
import type { ProcessSupervisor } from './process-supervisor.ts';
import { chooseRestaurant, readRestaurant, writeRestaurant } from './restaurant.ts';
import { createRunFile, type RunFile } from './run-file.ts';
import { loadSecrets } from './secrets.ts';
import { provideServers, titles, type ProvidedServer } from './servers.ts';
import { serviceNames, type ServiceName } from '@comanda/local-stack/stack-settings';
import { serviceSettings, type ServiceSettings } from './service-settings.ts';
import { prepareDatabases, runServiceCommand, startService, waitForServices } from './services.ts';

const dataDir = join(comandaDir, 'data');
const logsDir = join(comandaDir, 'logs');
const seededFile = join(dataDir, 'seeded');
const restaurantFile = join(dataDir, 'restaurant');
const signInsFile = join(dataDir, 'demo-sign-ins.json');
const lanDir = join(comandaDir, 'lan');
const appsDir = join(comandaDir, 'apps');
export const runFile = join(comandaDir, 'run.json');

type Context = {
  start: StartOptions;
  supervisor: ProcessSupervisor;
  log: (line: string) => void;
  /** Aborts when everything must stop. */
  signal: AbortSignal;
};

/**
 * Starts servers and services, and sets up the demo data, unless the restaurant is empty. Resolves when everything is ready and announced.
 * @throws Refusal that says what is missing and what to do
 */
export async function startStack(context: Context): Promise<void> {
  const { start, supervisor, log, signal } = context;
  await checkBeforeStart(start, comandaDir);
  if (start.reset) {
    log('deleting the data of earlier runs');
    rmSync(dataDir, { recursive: true, force: true });
  }
  mkdirSync(dataDir, { recursive: true });
  const restaurant = chooseRestaurant({
    stored: start.given.mongodb ? null : readRestaurant(restaurantFile, seededFile),
    wantsEmpty: start.empty,
    simulates: start.simulationPace !== null,
  });
  const signIns = restaurant === 'demo' ? demoSignIns(start) : publicSignIns;
  rotateLogs(logsDir);

  const run = createRunFile(runFile);
  const secrets = loadSecrets(join(dataDir, 'secrets.json'));
  const certificate = start.lan ? await openLan(log) : null;
  const publicHost = start.lan ? lanAddress() : 'localhost';
  const { onSpawn } = supervisor;
  const [servers] = await Promise.all([
    provideServers({ given: start.given, programsDir, dataDir, logsDir, log, onSpawn }),
    buildApps(appsDir),
  ]);
  await Promise.all(Object.values(servers).map((server) => keepServer(server, supervisor, run)));

  const urls = { mongodbUri: servers.mongodb.url, redisUrl: servers.redis.url, rabbitmqUrl: servers.rabbitmq.url };
  const bank = await openBank(context);
  const settings = await serviceSettings({
    start,
    bank: bank?.settings ?? {},
    servers: urls,
    secrets,
    publicHost,
    certificate,
    env: { ...appFolders(appsDir), ...process.env },
    log,
  });
  bank?.setHintUrl(`${settings.gateway.url}/pix-hints`);
  log('preparing the databases');
  await prepareDatabases(settings);
  await startServices(settings, context, run);

  const allStartedHere = Object.values(servers).every((server) => server.ours);
  const seeds = restaurant === 'demo' && allStartedHere && !existsSync(seededFile);
  // Written before the demo data, so that --empty never finds a part of it.
  if (seeds || (restaurant === 'empty' && servers.mongodb.ours)) writeRestaurant(restaurantFile, restaurant);
  if (seeds) await seed({ settings, signIns, log });
  // The demo data from an earlier start is still in our MongoDB, even if the user now provides Redis or RabbitMQ.
  const hasDemoData = Boolean(servers.mongodb.ours) && existsSync(seededFile);
  run.publish();
  log('ready');
  const tableAddress = hasDemoData ? await findTableAddress(settings.gateway.url, signIns) : null;
  const isTerminal = process.stdout.isTTY;
  const announced = {
    settings,
    start,
    signIns: hasDemoData ? signIns : null,
    firstManager: hasDemoData
      ? ('exists' as const)
      : await findFirstManager({
          gatewayUrl: settings.gateway.url,
          env: settings['auth-stepup'].env,
          isTerminal,
          log,
        }),
    tableAddress,
    bankUrl: bank?.url ?? null,
    logsDir,
    isTerminal,
    authorityFile: certificate?.authorityFile ?? null,
  };
  console.log(await announcement(announced));
  if (start.simulationPace !== null)
    await startSimulation({
      gatewayUrl: settings.gateway.url,
      signIns,
      pace: start.simulationPace,
      bank,
      log,
      signal,
    });
}

/** Starts the demo's own bank, unless the operator has set how the restaurant takes Pix, or its currency isn't BRL. */
async function openBank({ log, signal }: Context): Promise<FakeBank | null> {
  const { PIX_MODE, PIX_BANK_URL, CURRENCY = defaultCurrency } = process.env;
  if (PIX_MODE || PIX_BANK_URL || CURRENCY !== 'BRL') return null;
  const bank = await startFakeBank({ port: await freePort(usualBankPort) });
  signal.addEventListener('abort', () => void bank.close());
  log(`the demo's bank listens on ${bank.url}`);
  return bank;
}
const usualBankPort = 3005;

/**
 * Creates a certificate for HTTPS in the local network, and makes this process trust it. Returns null if that fails, for example
 * without openssl.
 */
async function openLan(log: Context['log']): Promise<LanCertificate | null> {
  try {
    const certificate = await provideLanCertificate(lanDir, { addresses: lanAddresses(), now: new Date() });
    setDefaultCACertificates([...getCACertificates('default'), readFileSync(certificate.authorityFile, 'utf8')]);
    return certificate;
  } catch (error) {
    log(`no certificate for HTTPS: ${(error as Error).message}`);
    return null;
  }
}

/** Restarts one of our servers on the same port after each exit, so that the services can reconnect. */
async function keepServer(
  { name, url, ours }: ProvidedServer,
  supervisor: ProcessSupervisor,
  run: RunFile,
): Promise<void> {
  if (!ours) return run.set(name, { url });
  let first: ProvidedServer['ours'] | undefined = ours;
  await supervisor.keep(titles[name], {
    start: async () => {
      const server = first ? first.first : await ours.startAgain();
      first = undefined;
      return server;
    },
    onStart: (pid) => run.set(name, { url, pid }),
  });
}

async function startServices(
  settings: Record<ServiceName, ServiceSettings>,
  { supervisor, log }: Context,
  run: RunFile,
): Promise<void> {
  log(`starting ${serviceNames.join(', ')}`);
  const waiting = [];
  for (const name of serviceNames) {
    const { url, healthUrl, env } = settings[name];
    const logFile = join(logsDir, `${name}.log`);
    const { exitCount } = await supervisor.keep(name, {
      start: () => startService({ name, env, logFile, onSpawn: supervisor.onSpawn }),
      onStart: (pid) => run.set(name, { url, pid }),
    });
    waiting.push({ name, url, healthUrl, exitCount, logFile });
  }
  await waitForServices(waiting, log);
}

/**
 * Returns the public sign-ins. If other machines can reach the demo, or could earlier, returns the demo's own sign-ins.
 * @throws Refusal if the demo is opened to other machines and has the public sign-ins
 */
function demoSignIns({ lan }: StartOptions): DemoSignIns {
  const isOpen = lan || existsSync(signInsFile);
  if (!isOpen) return publicSignIns;
  if (existsSync(seededFile) && !existsSync(signInsFile))
    throw refusal(
      'The demo data was set up with public passwords, with which everybody in your network could sign in as the manager. ' +
        'Delete the data and start again with new passwords:   npm start -- --lan --reset',
    );
  return loadDemoSignIns(signInsFile);
}

async function seed(options: {
  settings: Record<ServiceName, ServiceSettings>;
  signIns: DemoSignIns;
  log: (line: string) => void;
}): Promise<void> {
  const { settings, signIns, log } = options;
  log('setting up the demo data (there is no data yet)');
  await seedDemo({
    gatewayUrl: settings.gateway.url,
    createManager: async ({ name, email, password }) => {
      const args = ['--email', email, '--name', name];
      const env = { ...settings['auth-stepup'].env, MANAGER_PASSWORD: password };
      await runServiceCommand({ service: 'auth-stepup', script: 'src/create-manager.ts', args, env });
    },
    log: (line) => log(`demo data: ${line}`),
    signIns,
  });
  writeFileSync(seededFile, `${new Date().toISOString()}\n`);
}
