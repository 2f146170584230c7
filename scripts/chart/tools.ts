import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { comandaDir } from '@comanda/local-stack/root';
import { lastLines, onPath, run } from '@comanda/local-stack/servers/command';
import { refusal } from '@comanda/local-stack/servers/refusal';
import { writeSchemas } from './kubernetes-schemas.ts';

/**
 * Third-party tools, built from Go modules whose content Go verifies with its checksum database. They aren't dependencies of the
 * repository, because they are large and only this command needs them.
 */
const programs = {
  helm: 'helm.sh/helm/v3/cmd/helm@v3.21.4',
  kubeconform: 'github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0',
  'kube-score': 'github.com/zegl/kube-score/cmd/kube-score@v1.20.0',
};
/** Go modules with files that define Kubernetes' objects. */
const modules = { kubernetes: 'k8s.io/kubernetes@v1.36.3', gatewayApi: 'sigs.k8s.io/gateway-api@v1.3.0' };
/** The Kubernetes version for rendering the charts. */
export const kubernetesVersion = modules.kubernetes.split('@v')[1] ?? '';

export type ChartTools = Record<'helm' | 'kubeconform' | 'kubeScore' | 'schemas', string>;

const folder = join(comandaDir, 'chart');
const stamp = join(folder, 'versions.json');
const wanted = JSON.stringify({ programs, modules });
const tools: ChartTools = {
  helm: join(folder, 'bin', 'helm'),
  kubeconform: join(folder, 'bin', 'kubeconform'),
  kubeScore: join(folder, 'bin', 'kube-score'),
  schemas: join(folder, 'schemas'),
};

/** Returns the tools if they are already built in this folder; otherwise null. */
export const findTools = (): ChartTools | null =>
  existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted ? tools : null;

/**
 * Builds the tools into `.comanda/chart` if they are missing. The first time, this takes a few minutes.
 * @throws Refusal without Go, or if a module can't be downloaded
 */
export async function installTools(log: (line: string) => void): Promise<ChartTools> {
  const found = findTools();
  if (found) return found;
  const go = onPath('go');
  if (go === undefined)
    throw refusal(
      'The charts are checked with tools that are built with Go, and there is no go. Install it: https://go.dev/dl/',
    );
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const env = { ...process.env, GOBIN: join(folder, 'bin'), GOFLAGS: '-buildvcs=false -mod=mod', GOWORK: 'off' };
  for (const [name, spec] of Object.entries(programs)) {
    log(`building ${name} (first run only, some minutes in all)`);
    await outputOf({ command: go, args: ['install', spec], env });
  }
  log('reading the schemas of Kubernetes');
  const folderOf = async (spec: string): Promise<string> => {
    const output = await outputOf({ command: go, args: ['mod', 'download', '-json', spec], env });
    return (JSON.parse(output.slice(output.indexOf('{'))) as { Dir: string }).Dir;
  };
  writeSchemas({
    kubernetes: await folderOf(modules.kubernetes),
    gatewayApi: await folderOf(modules.gatewayApi),
    to: tools.schemas,
  });
  writeFileSync(stamp, wanted);
  return tools;
}

/**
 * Runs a program and returns its output.
 * @throws Refusal if it fails
 */
async function outputOf(options: {
  command: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
}): Promise<string> {
  const { code, output } = await run({ ...options, timeoutMs: 1_800_000 });
  if (code !== 0) throw refusal(`go ${options.args.join(' ')} failed:\n${lastLines(output)}`);
  return output;
}
