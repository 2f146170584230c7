import { onPath } from './command.ts';
import { refusal } from './refusal.ts';

/** The properties of a system that determine which programs can be downloaded for it. */
export type System = {
  platform: NodeJS.Platform;
  arch: NodeJS.Architecture;
  /** True if the system has apt-get and dpkg-deb, as Debian and Ubuntu do. */
  hasApt: boolean;
};

export const thisSystem: System = {
  platform: process.platform,
  arch: process.arch,
  hasApt: Boolean(onPath('apt-get') && onPath('dpkg-deb')),
};

const servers = {
  mongodb: {
    title: 'MongoDB 6.0 or newer',
    program: 'mongod',
    url: "MONGODB_URI='mongodb://127.0.0.1:27017/?replicaSet=rs0'",
    brew: 'mongodb/brew/mongodb-community',
  },
  redis: {
    title: 'Redis 6.2 or newer',
    program: 'redis-server',
    url: 'REDIS_URL=redis://127.0.0.1:6379',
    brew: 'redis',
  },
  rabbitmq: {
    title: 'RabbitMQ 3.9 or newer',
    program: 'rabbitmq-server',
    url: 'RABBITMQ_URL=amqp://guest:guest@127.0.0.1:5672',
    brew: 'rabbitmq',
  },
};
type ServerName = keyof typeof servers;

/** Returns the reason why a server can't be downloaded on this system, or undefined if it can. */
export function whyNoDownload(name: ServerName, { platform, arch, hasApt }: System): string | undefined {
  if (name === 'mongodb' && (platform !== 'linux' || arch !== 'x64'))
    return `there is no download for ${platform} on ${arch}`;
  if (name !== 'mongodb' && !hasApt) return 'its download is a package for Debian and Ubuntu';
  return undefined;
}

/** Checks that this server can be downloaded on this system. @throws Refusal if it can't */
export function refuseWithoutDownload(name: ServerName): void {
  const why = whyNoDownload(name, thisSystem);
  if (why !== undefined) throw refusal(why);
}

/** Creates an error that names all missing servers and every way to provide them. */
export function serversNotAvailable(missing: Partial<Record<ServerName, string>>, system: System): Error {
  const names = Object.keys(missing) as ServerName[];
  const list = (field: 'title' | 'program'): string =>
    new Intl.ListFormat('en-GB').format(names.map((name) => servers[name][field]));
  const downloadable = names.some((name) => !whyNoDownload(name, system));
  const are = names.length === 1 ? 'is' : 'are';
  return refusal(
    [
      `${list('title')} ${are} not on this machine, and can't be downloaded:`,
      ...names.map((name) => `  ${servers[name].program}: ${missing[name]}`),
      'Choose one of these ways:',
      ...(downloadable ? ['  - connect to a network and try again'] : []),
      `  - install what is missing, so that ${list('program')} ${are} on the PATH${installCommand(names, system)}`,
      '  - use servers that run already (MongoDB as a replica set, for transactions):',
      `      ${names.map((name) => servers[name].url).join(' ')} npm start`,
      '  - run everything in containers:   docker compose up --build',
    ].join('\n'),
  );
}

function installCommand(names: readonly ServerName[], { platform, hasApt }: System): string {
  if (platform === 'darwin') return `:\n      brew install ${names.map((name) => servers[name].brew).join(' ')}`;
  const packages = names.filter((name) => name !== 'mongodb').map((name) => servers[name].program);
  const lines = [
    ...(hasApt && packages.length > 0 ? [`\n      apt-get install ${packages.join(' ')}`] : []),
    ...(names.includes('mongodb')
      ? ['\n      https://www.mongodb.com/docs/manual/administration/install-on-linux/']
      : []),
  ];
  return lines.length > 0 ? `:${lines.join('')}` : '';
}
