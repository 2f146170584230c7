import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  accessSync,
  constants,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { identify } from '@comanda/local-stack/process-identity';
import type { Reaper } from '@comanda/local-stack/reaper/start-reaper';
import { comandaDir } from '@comanda/local-stack/root';
import { onPath, run } from '@comanda/local-stack/servers/command';
import { debianKeys } from '@comanda/local-stack/servers/debian-packages';
import { refusal } from '@comanda/local-stack/servers/refusal';
import { startProcess, waitUntilReady, type ServerProcess } from '@comanda/local-stack/servers/server-process';
import type { EnginePrograms } from './engine-programs.ts';

/** What decides whether an engine can be started here. */
export type EngineSystem = {
  platform: NodeJS.Platform;
  uid: number | undefined;
  /** Whether it has this program, or this file. */
  has: (name: string) => boolean;
  canWrite: (folder: string) => boolean;
};

export const thisEngineSystem: EngineSystem = {
  platform: process.platform,
  uid: process.getuid?.(),
  has: (name) => (name.startsWith('/') ? existsSync(name) : onPath(name) !== undefined),
  canWrite: (folder) => {
    try {
      accessSync(folder, constants.W_OK);
      return true;
    } catch {
      return false;
    }
  },
};

const cgroups = '/sys/fs/cgroup';

/** Why --engine can't work on this system and what to do, or undefined if it can. */
export function whyNoEngine({ platform, uid, has, canWrite }: EngineSystem): string | undefined {
  if (platform !== 'linux') return 'It works on Linux only. Start Docker Desktop, OrbStack or Colima instead.';
  if (uid !== 0) return 'It needs root, for namespaces and mounts: sudo npm run containers -- --engine';
  const needed: [string, string][] = [
    ['apt-get', 'The programs of the engine are packages of Debian: use Debian or Ubuntu, or install Docker.'],
    ['dpkg-deb', 'The programs of the engine are packages of Debian: use Debian or Ubuntu, or install Docker.'],
    [debianKeys, 'apt-get install debian-archive-keyring'],
    ['unshare', 'apt-get install util-linux'],
    ['nsenter', 'apt-get install util-linux'],
    ['/dev/net/tun', 'The way out of its network needs it: modprobe tun; in a container: --device /dev/net/tun'],
  ];
  for (const [name, todo] of needed) if (!has(name)) return `${name} is missing. ${todo}`;
  const ofMemory = has(`${cgroups}/cgroup.controllers`) ? cgroups : `${cgroups}/memory`;
  if (!canWrite(ofMemory)) return `${ofMemory} can't be written to. Mount the cgroups; in a container: --privileged`;
  return undefined;
}

/** An engine that runs in namespaces of its own. Whoever calls its containers by their ports must be in them. */
export type OwnEngine = {
  about: string;
  env: NodeJS.ProcessEnv;
  /** The command and the arguments that run a program in the engine's network. */
  inNetwork: (command: readonly string[]) => { command: string; args: string[] };
};

type Start = { programs: EnginePrograms; reaper: Reaper; log: (line: string) => void };

/**
 * Starts an engine with data, network, mounts and processes of its own. The reaper ends it: with the first process of its
 * namespaces, the kernel ends all others, removes the mounts, and then the network.
 */
export async function startOwnEngine({ programs, reaper, log }: Start): Promise<OwnEngine> {
  const folder = mkdtempSync(join(comandaDir, 'engine-'));
  const short = mkdtempSync(join(tmpdir(), 'comanda-engine-')); // the path of a socket has at most 107 characters
  for (const path of [folder, short]) reaper.remove(path);
  const socket = `unix://${join(short, 'docker.sock')}`;
  const cgroup = basename(short);
  for (const each of ['', ...readdirSync(cgroups)]) reaper.removeFolders(join(cgroups, each, cgroup));
  if (!existsSync(ofContainerd)) reaper.removeFolders(ofContainerd);
  const config = join(folder, 'config.json');
  const plugins = [join(programs.root, 'usr/libexec/docker/cli-plugins')];
  writeFileSync(config, JSON.stringify({ cliPluginsExtraDirs: plugins }));
  writeFileSync(join(folder, 'daemon.json'), '{}'); // instead of /etc/docker/daemon.json
  writeFileSync(join(folder, 'resolv.conf'), `nameserver ${nameserver}\n`);

  const logFile = join(comandaDir, 'engine.log'); // stays, to be read
  rmSync(logFile, { force: true });
  const args = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc', 'sh', '-euc', startScript, 'sh'];
  const unshare = await startProcess({
    name: 'The Docker engine',
    command: 'unshare',
    args: [...args, ...engineArguments({ folder, socket, cgroup })],
    env: programs.env,
    cwd: folder,
    logFile,
    onSpawn: (spawned) => reaper.track({ ...spawned, stop: 'kill' }),
  });
  const wait = (ready: () => Promise<void>): Promise<void> =>
    waitUntilReady({ name: 'The Docker engine', process: unshare, ready, logFile, timeoutMs: 120_000 });
  let first = 0;
  await wait(async () => void (first = firstOf(unshare)));
  const identity = identify(first);
  if (identity) reaper.track({ ...identity, name: 'the first process of the engine', stop: 'kill' });
  log('The engine waits for its network.');
  await startWayOut({ first, programs, reaper, cwd: folder });
  log('The engine starts; this waits until it answers, up to two minutes.');
  const env = { ...programs.clientEnv, DOCKER_HOST: socket, DOCKER_CONFIG: folder, DOCKER_TLS_VERIFY: '' };
  const docker = (...words: string[]) => run({ command: 'docker', args: words, env, timeoutMs: 10_000 });
  await wait(async () => {
    const { code, output } = await docker('version'); // `docker info` ends with 0 also if nothing answers
    if (code !== 0) throw refusal(output);
  });
  const { output: about } = await docker('info', '--format', 'Its images are in {{.DockerRootDir}} ({{.Driver}}).');
  return {
    about,
    env,
    inNetwork: (command) => ({ command: 'nsenter', args: [`--net=/proc/${first}/ns/net`, '--', ...command] }),
  };
}

/** slirp4netns answers there for the names that this machine knows. */
const nameserver = '10.0.2.3';
/** containerd makes this folder, wherever its data are. */
const ofContainerd = '/opt/containerd';

type Arguments = { folder: string; socket: string; cgroup: string };
export const engineArguments = ({ folder, socket, cgroup }: Arguments): string[] => [
  '--config-file',
  join(folder, 'daemon.json'),
  '--data-root',
  join(folder, 'data'),
  '--exec-root',
  '/run/docker',
  '--pidfile',
  '/run/docker.pid',
  '--host',
  socket,
  '--exec-opt',
  'native.cgroupdriver=cgroupfs',
  '--cgroup-parent',
  `/${cgroup}`,
  '--dns',
  nameserver,
];

/**
 * Docker, containerd and iptables keep sockets, locks and mounts in /run: the engine gets another one. A file of the
 * machine's /run to which /etc/resolv.conf may point is replaced there.
 */
const startScript = `
  names=$(readlink -m /etc/resolv.conf)
  mount -t tmpfs -o mode=755 tmpfs /run
  mkdir -p "$(dirname "$names")"
  [ -e "$names" ] || : > "$names"
  mount --bind resolv.conf "$names"
  exec docker-init -- dockerd "$@"`;

/** The process that the first one of a namespace runs in has no other child. */
function firstOf({ pid }: ServerProcess): number {
  const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
  if (!child || readlinkSync(`/proc/${child}/ns/net`) === readlinkSync('/proc/self/ns/net'))
    throw refusal('It has no network yet.');
  return Number(child);
}

type WayOut = { first: number; programs: EnginePrograms; reaper: Reaper; cwd: string };
/** Connections from the engine's network are those of one more program on this machine, which can't reach its loopback. */
async function startWayOut({ first, programs, reaper, cwd }: WayOut): Promise<void> {
  const args = ['--configure', '--mtu=65520', '--disable-host-loopback', '--ready-fd=3', String(first), 'tap0'];
  const child = spawn('slirp4netns', args, {
    env: programs.env,
    cwd,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await once(child, 'spawn');
  const identity = identify(child.pid as number);
  if (identity) reaper.track({ ...identity, name: 'slirp4netns', stop: 'kill' });
  const [ready] = await Promise.race([once(child.stdio[3] as Readable, 'data'), once(child, 'exit').then(() => [])]);
  if (!ready) throw refusal(`The engine has no way out of its network. slirp4netns says: ${output.trim()}`);
  child.unref();
}
