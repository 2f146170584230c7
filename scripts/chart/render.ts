import { join } from 'node:path';
import { comandaDir, root } from '@comanda/local-stack/root';
import { run } from '@comanda/local-stack/servers/command';
import { refusal } from '@comanda/local-stack/servers/refusal';
import { parseAllDocuments } from 'yaml';
import { kubernetesVersion, type ChartTools } from './tools.ts';

/** The parts of a Kubernetes object that the checks use. */
export type KubernetesObject = {
  kind: string;
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string> };
  spec?: Record<string, unknown>;
};
type Render = {
  tools: ChartTools;
  service: string;
  /** The path to the environment's values file. */
  environment: string;
  /** The arguments for `--set`. */
  set?: readonly string[];
};

export const exampleEnvironment = join(root, 'deploy', 'environment.example.yaml');
const folderOf = (service: string): string => join(root, 'deploy', 'helm', service);
/** Variables that keep helm from writing to the user's home. */
const helmHome = Object.fromEntries(
  ['CACHE', 'CONFIG', 'DATA'].map((name) => [`HELM_${name}_HOME`, join(comandaDir, 'chart', 'helm')]),
);

/**
 * Renders the objects of a release as YAML.
 * @throws Refusal with helm's message
 */
export const renderChart = (options: Render): Promise<string> =>
  helm(options, ['template', options.service, folderOf(options.service), '--kube-version', kubernetesVersion]);

/**
 * Runs `helm lint`.
 * @throws Refusal with its message
 */
export const lintChart = (options: Render): Promise<string> =>
  helm(options, ['lint', '--strict', '--quiet', folderOf(options.service), '--kube-version', kubernetesVersion]);

async function helm({ tools, service, environment, set = [] }: Render, args: readonly string[]): Promise<string> {
  const values = ['--values', environment, ...set.flatMap((each) => ['--set', each])];
  const { code, output } = await run({
    command: tools.helm,
    args: [...args, ...values],
    env: { ...process.env, ...helmHome },
  });
  // helm reports each symbolic link to the library on standard error, which `run` appends to the output.
  const lines = output.split('\n').filter((line) => !line.startsWith('walk.go:'));
  if (code !== 0) throw refusal(`${service}: ${whatHelmSays(lines)}`);
  return lines.join('\n');
}

/** Returns the sentence in helm's message that explains why the template failed, without the template's path. */
function whatHelmSays(lines: readonly string[]): string {
  const text = lines.filter((line) => line.trim() !== '' && !line.startsWith('Use --debug')).join('\n');
  const [, sentence] = /error calling (?:fail|required): ([^]*)$/.exec(text) ?? [];
  return sentence?.trim() ?? text;
}

export const readObjects = (yaml: string): KubernetesObject[] =>
  parseAllDocuments(yaml).flatMap((document) => {
    const object = document.toJS() as KubernetesObject | null;
    return object ? [object] : [];
  });
