import { describe, expect, test } from '@jest/globals';
import { debianKeys } from '@comanda/local-stack/servers/debian-packages';
import { engineArguments, whyNoEngine, type EngineSystem } from './own-engine.ts';

const able: EngineSystem = {
  platform: 'linux',
  uid: 0,
  has: (name) => name !== '/sys/fs/cgroup/cgroup.controllers',
  canWrite: () => true,
};
const without = (missing: string): EngineSystem => ({ ...able, has: (name) => name !== missing });

describe('an engine for one run', () => {
  test('when root is on Linux with all that is needed, then nothing is against it', () => {
    expect(whyNoEngine(able)).toBeUndefined();
  });
  test.each<[string, EngineSystem, string[]]>([
    ['the system is macOS', { ...able, platform: 'darwin' }, ['Linux', 'Docker Desktop']],
    ['the user is not root', { ...able, uid: 1000 }, ['root', 'sudo npm run containers -- --engine']],
    ['there is no apt', without('apt-get'), ['apt-get is missing', 'Debian']],
    ["Debian's keys are missing", without(debianKeys), [debianKeys, 'apt-get install debian-archive-keyring']],
    ['no namespace can be made', without('unshare'), ['unshare is missing', 'util-linux']],
    ['there is no network device', without('/dev/net/tun'), ['/dev/net/tun is missing', 'modprobe tun']],
    ['cgroups 1 are read-only', { ...able, canWrite: () => false }, ['/sys/fs/cgroup/memory', '--privileged']],
    [
      'cgroups 2 are read-only',
      { ...able, has: () => true, canWrite: (folder) => folder !== '/sys/fs/cgroup' },
      ["/sys/fs/cgroup can't be written to"],
    ],
  ])('when %s, then it says what is missing and what to do', (_when, system, said) => {
    for (const text of said) expect(whyNoEngine(system)).toContain(text);
  });

  test('when it is started, then its data, its socket, its settings and its cgroups are not those of the machine', () => {
    const args = engineArguments({ folder: '/run-1', socket: 'unix:///short/docker.sock', cgroup: 'run-1' });

    const valueOf = (name: string): string | undefined => args[args.indexOf(name) + 1];
    expect(valueOf('--data-root')).toBe('/run-1/data');
    expect(valueOf('--config-file')).toBe('/run-1/daemon.json');
    expect(valueOf('--host')).toBe('unix:///short/docker.sock');
    expect(valueOf('--cgroup-parent')).toBe('/run-1');
  });
});
