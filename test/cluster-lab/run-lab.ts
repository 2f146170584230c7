import { serviceNames, type ServiceName } from '@comanda/local-stack/stack-settings';
import { managerCredentials } from '@comanda/testing/credentials';
import { goOn, isFailure, since, startLoad, type Load } from './load.ts';
import { installOrder, settled, succeed, upgrade } from './releases.ts';
import { startLab, type Lab, type LabOptions } from './start-lab.ts';
import { first, steps, type Step } from './steps.ts';

export type StepReport = {
  name: string;
  tookMs: number;
  calls: number;
  /** Answers that are failures, with how often they came. */
  failed: Record<string, number>;
  /** The fewest ready pods of any service meanwhile. */
  fewestReady: number;
  /** What was not as it should be. */
  broken: string[];
};
export type LabReport = {
  steps: StepReport[];
  installedMs: number;
  calls: number;
  answers: Record<string, number>;
  orders: number;
  transfers: number;
  screens: number;
  events: number;
  ledger: string;
  /** Everything that is not as it should be; empty if all is well. */
  broken: string[];
  tookMs: number;
};
type Options = LabOptions & {
  screens: number;
  restMs: number;
  readsPerSecond: number;
  /** Only steps whose names contain one of these. */
  only?: readonly string[];
};

/** Installs all five releases and does one thing after the other to them under load. */
export async function runLab(options: Options): Promise<LabReport> {
  const { log, screens, restMs, readsPerSecond, only } = options;
  const begun = performance.now();
  const lab = await startLab(options);
  try {
    const installedMs = await installAll(lab, log);
    const load = await startLoad({
      gatewayUrl: lab.fronts.gateway.url,
      notifierUrl: lab.fronts.notifier.url,
      rabbitmqUrl: lab.servers.RABBITMQ_URL,
      screens,
      restMs,
      readsPerSecond,
      log,
    });
    await goOn(3_000);
    const reports: StepReport[] = [];
    const chosen = steps.filter(({ name }) => only?.some((part) => name.includes(part)) ?? true);
    for (const step of chosen) reports.push(await take(step, { lab, load, log }));
    const { broken, ...counts } = await load.stop();
    const verified = await lab.kubectl('exec', 'deployment/transfers', '--', 'node', 'dist/verify-ledger.js');
    const ledger = verified.split('\n').at(-1) ?? ''; // before it, how far it is
    log(ledger);
    const answers = Object.fromEntries(load.answers());
    const failed = Object.entries(answers).filter(([answer]) => isFailure(answer));
    return {
      steps: reports,
      installedMs,
      ...counts,
      calls: sum(answers),
      answers,
      ledger,
      broken: [
        ...broken,
        ...failed.map(([answer, count]) => `${count} calls were answered ${answer}`),
        ...reports.flatMap((step) => step.broken.map((what) => `${step.name}: ${what}`)),
      ],
      tookMs: performance.now() - begun,
    };
  } finally {
    await lab.close();
  }
}

/** All releases, in the order of docs/operations.md, and the first manager. Gives how long it took. */
async function installAll(lab: Lab, log: (line: string) => void): Promise<number> {
  const begun = performance.now();
  for (const service of installOrder) {
    lab.images.publish(service, first);
    await succeed(upgrade(lab, { service, set: [`image.tag=${first}`] }));
    log(`${service} is installed`);
  }
  for (const service of installOrder) await settled(lab, service);
  const { email, password } = managerCredentials;
  const command = ['env', `MANAGER_PASSWORD=${password}`, 'node', 'dist/create-manager.js'];
  await lab.kubectl('exec', 'deployment/auth-stepup', '--', ...command, '--email', email, '--name', 'Marta');
  return performance.now() - begun;
}

const sum = (counts: Record<string, number>): number =>
  Object.values(counts).reduce((total, count) => total + count, 0);

type Under = { lab: Lab; load: Load; log: (line: string) => void };

/** Takes a step, and says what became of the calls meanwhile and a little later. */
async function take(step: Step, { lab, load, log }: Under): Promise<StepReport> {
  const before = { answers: new Map(load.answers()), failures: new Map(load.failures()) };
  const begun = performance.now();
  const watch = watchReadyPods(lab);
  const broken: string[] = [];
  await step.run(lab).catch((error: unknown) => broken.push(error instanceof Error ? error.message : String(error)));
  const tookMs = performance.now() - begun;
  await goOn(1_000);
  const fewest = watch.stop();
  const [service, fewestReady] = Object.entries(fewest).toSorted(([, a], [, b]) => a - b)[0] ?? ['', 0];
  const allowed = step.fewest ?? 2;
  if (fewestReady < allowed) broken.push(`${service} had ${fewestReady} ready pods for a moment`);
  const calls = sum(since(before.answers, load.answers()));
  const failed = since(before.failures, load.failures());
  const outcome = [...broken, ...Object.entries(failed).map(([answer, count]) => `${count} times ${answer}`)];
  log(`${step.name}: ${(tookMs / 1_000).toFixed(1)} s, ${calls} calls, ${outcome.join('; ') || 'none failed'}`);
  return { name: step.name, tookMs, calls, failed, fewestReady, broken };
}

/** The fewest pods that got connections to each service, until it is stopped. */
function watchReadyPods({ proxy }: Lab): { stop: () => Record<string, number> } {
  const fewest: Partial<Record<ServiceName, number>> = {};
  const look = (): void => {
    for (const service of serviceNames)
      fewest[service] = Math.min(fewest[service] ?? Infinity, proxy.endpointsOf(service));
  };
  look();
  const timer = setInterval(look, 100);
  return {
    stop: () => {
      clearInterval(timer);
      return fewest;
    },
  };
}
