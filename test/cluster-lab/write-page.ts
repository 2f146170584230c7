import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import { formatDocument } from '@comanda/local-stack/format-document';
import { kubernetesVersion } from '@comanda/local-stack/kubernetes/kubernetes-program';
import { root } from '@comanda/local-stack/root';
import type { LabReport, StepReport } from './run-lab.ts';

const path = 'docs/cluster-lab.md';
const keptRuns = 20;

const count = (value: number): string => value.toLocaleString('en');
const seconds = (ms: number): string => `${Math.round(ms / 1_000)} s`;
const cell = (text: string): string => text.replaceAll('|', '/').replaceAll('\n', ' ');

/** What was not as it should be in a step. */
const wrongIn = ({ failed, broken }: StepReport): string[] => [
  ...Object.entries(failed).map(([what, times]) => `${times} times ${what}`),
  ...broken,
];

/** The rows of earlier runs in the page, the newest first. */
export const earlierRuns = (page: string): string[] =>
  page.split('\n').filter((line) => /^\| \d{4}-\d\d-\d\d/.test(line));

const ending = ({ broken, ledger }: LabReport): string =>
  broken.length === 0
    ? `In the end every screen had each event of its rooms once and in order, every order, balance and transfer was as its call was told, and the ledger was verified: ${ledger}`
    : `In the end the ledger was verified: ${ledger}\n\nNot all was as it should be:\n\n${broken.map((what) => `- ${cell(what)}`).join('\n')}`;

type Written = { report: LabReport; at: Date; helmVersion: string; earlier: readonly string[] };

/** docs/cluster-lab.md after a run. */
export function pageOf({ report, at, helmVersion, earlier }: Written): string {
  const { steps, installedMs, calls, orders, transfers, screens, events, broken, tookMs } = report;
  const rows = steps.map((step) => {
    const { name, tookMs: took, calls: made, fewestReady } = step;
    const wrong = wrongIn(step).join('; ') || 'none';
    return `| ${name} | ${seconds(took)} | ${count(made)} | ${cell(wrong)} | ${fewestReady} |`;
  });
  const outcome = broken.length === 0 ? 'green' : `red: ${cell(broken[0] ?? '')}`;
  const day = at.toISOString().slice(0, 16).replace('T', ' ');
  const run = `| ${day} | ${kubernetesVersion} | ${count(calls)} | ${count(events)} | ${seconds(tookMs)} | ${outcome} |`;
  return `# Charts on a real control plane

\`npm run cluster-lab\` writes this page, so do not change it by hand. It installs the charts of [deploy/helm](../deploy/README.md) on a real control plane of Kubernetes, and does with them what [operations](operations.md) says, while guests order, pay each other and look at screens. [Decision 0042](decisions/0042-pods-of-the-lab-are-processes.md) says how, and why so.

## What ran

- Kubernetes ${kubernetesVersion}: API server, controllers, scheduler and etcd, built from their Go modules; ${helmVersion}; kubectl of the same version as the API server.
- Three nodes whose pods are processes: each is the service as \`npm run build\` makes it, with the flags and variables of its image and the settings, Secrets, probes, grace period and restart policy of its pod. A connection to a Service goes to one of its ready pods, as the endpoints in the API server say, one second late.
- All five releases, each with two pods, in a namespace that enforces the restricted pod security standard, with \`deploy/environment.example.yaml\` and no limits of calls. The \`prepare\` Jobs ran before each installation and upgrade.
- Two versions of each service, 1.0.0 and 1.1.0: the same code with another number. What different code does side by side, \`npm test -- test/versions\` shows.
- MongoDB, Redis and RabbitMQ, one node each, outside the cluster. Processors: ${availableParallelism()}; memory: ${Math.round(totalmem() / 1024 ** 3)} GB.

## What happened

Installed in ${seconds(installedMs)}. Then ${count(calls)} calls through the gateway: ${count(orders)} orders, which were moved on, and ${count(transfers)} transfers, each with a PIN check; ${count(screens)} screens, half of them through the gateway, were sent ${count(events)} events. "Failed" is a call without an answer, answered with 5xx, or refused by a limit; a refusal because of what was asked is none. A failed call is repeated by nobody here but the client that counts it.

| What was done | Took | Calls meanwhile | Failed | Fewest ready pods of a service |
| --- | --- | --- | --- | --- |
${rows.join('\n')}

${ending(report)}

A wrong \`SERVICE_SECRET\` and a wrong \`JWKS_URL\` are found by the new pod only, which does not get ready; the old pods serve until helm or an operator has rolled back. A missing image stops at the \`prepare\` Job, before a pod is touched.

## What this cannot judge

- **Containers.** No image is built or run: users, read-only files, capabilities and limits of memory are checked by the API server as fields only. \`npm run chart\` judges them by other people's rules, [deployment](deployment.md#images) says what the images are.
- **Networks.** The API server takes the network policies; nothing enforces them. Names of Services are written into the settings of a process as addresses, as there is no DNS.
- **Ingress.** The API server takes the objects; a small proxy of the lab stands for the controller, says that clients came by HTTPS, and repeats nothing.
- **Metrics.** Autoscalers have no metrics, so they keep their minimum. Load does not scale anything.
- **Machines.** All nodes are one machine: a node that is lost, a disk that is full and clocks that differ do not happen here. [\`npm run torture\`](../CONTRIBUTING.md#every-command) kills and cuts off servers and services.

## Runs

| When (UTC) | Kubernetes | Calls | Events at screens | Took | Outcome |
| --- | --- | --- | --- | --- | --- |
${[run, ...earlier].slice(0, keptRuns).join('\n')}
`;
}

/** Writes the page, with the runs that it had before. */
export async function writePage(written: Omit<Written, 'at' | 'earlier'>): Promise<void> {
  const file = join(root, path);
  const earlier = existsSync(file) ? earlierRuns(readFileSync(file, 'utf8')) : [];
  writeFileSync(file, await formatDocument(path, pageOf({ ...written, at: new Date(), earlier })));
}
