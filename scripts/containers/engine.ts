import { run } from '@comanda/local-stack/servers/command';

/** The minimum versions: they support `start_interval` in a health check, and `up --wait` together with it. */
const needed = { engine: 25, compose: '2.24' };

const howToGetOne =
  `npm run containers needs a Docker engine ${needed.engine} or newer with Compose ${needed.compose} or newer, which reaches Docker Hub:\n` +
  'https://docs.docker.com/engine/install (Linux), Docker Desktop, OrbStack or Colima (macOS). DOCKER_HOST names another one.';

export type Engine = { kind: 'found'; about: string } | { kind: 'missing'; why: string };

/** Returns the versions of the engine and of Compose. */
export async function findEngine(): Promise<Engine> {
  const missing = (why: string): Engine => ({ kind: 'missing', why: `${why}\n${howToGetOne}` });
  const engine = await run({
    command: 'docker',
    args: ['version', '--format', '{{.Server.Version}}'],
    timeoutMs: 30_000,
  });
  if (engine.code === 127) return missing('There is no program docker on the PATH.');
  if (engine.code !== 0) return missing(`No Docker engine answers: ${engine.output.split('\n').at(-1)}`);
  const compose = await run({ command: 'docker', args: ['compose', 'version', '--short'], timeoutMs: 30_000 });
  if (compose.code !== 0) return missing('docker has no plugin compose (Compose v2).');
  const [engineVersion, composeVersion] = [engine.output.trim(), compose.output.trim().replace(/^v/, '')];
  if (!isAtLeast(engineVersion, String(needed.engine))) return missing(`The Docker engine is ${engineVersion}.`);
  if (!isAtLeast(composeVersion, needed.compose)) return missing(`Compose is ${composeVersion}.`);
  return { kind: 'found', about: `Docker ${engineVersion} with Compose ${composeVersion}` };
}

function isAtLeast(version: string, wanted: string): boolean {
  const [have, need] = [version, wanted].map((text) => text.split(/[.-]/).map(Number));
  const [major = 0, minor = 0] = have ?? [];
  const [neededMajor = 0, neededMinor = 0] = need ?? [];
  return major > neededMajor || (major === neededMajor && minor >= neededMinor);
}
