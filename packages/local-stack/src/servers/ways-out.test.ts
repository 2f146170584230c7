import { describe, expect, test } from '@jest/globals';
import { serversNotAvailable, whyNoDownload, type System } from './ways-out.ts';

const debian: System = { platform: 'linux', arch: 'x64', hasApt: true };
const arm: System = { ...debian, arch: 'arm64' };
const mac: System = { platform: 'darwin', arch: 'arm64', hasApt: false };
const fedora: System = { ...debian, hasApt: false };

describe('missing servers', () => {
  test.each([
    ['mongodb', debian, undefined],
    ['mongodb', fedora, undefined],
    ['mongodb', arm, 'there is no download for linux on arm64'],
    ['mongodb', mac, 'there is no download for darwin on arm64'],
    ['redis', debian, undefined],
    ['redis', arm, undefined],
    ['redis', fedora, 'its download is a package for Debian and Ubuntu'],
    ['rabbitmq', mac, 'its download is a package for Debian and Ubuntu'],
  ] as const)('have the right explanation for %s on %j: %p', (name, system, why) => {
    expect(whyNoDownload(name, system)).toBe(why);
  });

  test('cause a single error on a Mac, which lists all of them and the alternatives', () => {
    const { message } = serversNotAvailable({ mongodb: 'no download', redis: 'a package', rabbitmq: 'a package' }, mac);

    expect(message).toMatch(
      /^MongoDB 6.0 or newer, Redis 6.2 or newer and RabbitMQ 3.9 or newer are not on this machine/,
    );
    expect(message).toContain('brew install mongodb/brew/mongodb-community redis rabbitmq');
    expect(message).toMatch(/MONGODB_URI='mongodb:.*' REDIS_URL=redis:\S+ RABBITMQ_URL=amqp:\S+ npm start/);
    expect(message).toContain('docker compose up --build');
    expect(message).not.toContain('connect to a network');
    expect(message.split('\n').length).toBeLessThan(12);
  });

  test('cause an error only about MongoDB if only MongoDB is missing on arm64', () => {
    const { message } = serversNotAvailable({ mongodb: 'there is no download for linux on arm64' }, arm);

    expect(message).toMatch(/^MongoDB 6.0 or newer is not on this machine[^]*mongod: there is no download for linux/);
    expect(message).toContain('so that mongod is on the PATH');
    expect(message).not.toMatch(/redis|rabbit|brew|apt-get/i);
  });

  test('cause an error that mentions the network after a failed download', () => {
    const { message } = serversNotAvailable({ redis: 'apt-get update failed' }, debian);

    expect(message).toContain('redis-server: apt-get update failed');
    expect(message).toContain('connect to a network and try again');
    expect(message).toContain('apt-get install redis-server');
  });
});
