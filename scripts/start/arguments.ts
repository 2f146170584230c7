import { defineCommand, type ValuesOf } from '../command-line.ts';
import { refusal } from '@comanda/local-stack/servers/refusal';

export type StartOptions = {
  /** True to delete the data of earlier runs first. */
  reset: boolean;
  /** True for a restaurant without demo data. */
  empty: boolean;
  /** True to accept connections from other machines in the network. */
  lan: boolean;
  /** How many times faster the simulated people are than real ones; null without a simulation. */
  simulationPace: number | null;
  gatewayPort: number;
  notifierPort: number;
  /** The URLs of servers to use instead of our own, from the environment. */
  given: { mongodb?: string; redis?: string; rabbitmq?: string };
};

/** The setting that selects a server to use instead of ours, by server. */
export const settingOfServer = { mongodb: 'MONGODB_URI', redis: 'REDIS_URL', rabbitmq: 'RABBITMQ_URL' } as const;
const defaultPorts = { GATEWAY_PORT: 3000, NOTIFIER_PORT: 3004 };
type PortVariable = keyof typeof defaultPorts;

export const startCommand = defineCommand({
  name: 'npm start',
  script: 'start',
  about:
    'Runs everything on this machine, with real servers and demo data, until Ctrl-C. The data is kept for the next start.\n' +
    'In the background, also for after the terminal is closed:   (npm start > npm-start.log 2>&1 &)',
  options: {
    lan: {
      help: 'accept phones and tablets of this network over HTTPS; print the address, and in a terminal the QR code of a table. Add --reset\nafter an ordinary start: the data needs passwords of its own, which are printed',
    },
    stop: { help: 'stop the npm start that runs in this folder' },
    reset: { help: 'delete the data of earlier runs first' },
    empty: { help: 'start a restaurant of your own, without demo data; print the setup code for its first manager' },
    simulate: {
      value: 'PACE',
      defaultValue: '10',
      formerName: 'dinner',
      help: 'simulate a busy evening: guests, cooks and waiters work in the demo restaurant; PACE:\nhow many times faster than real ones, from 1 to 100 (10)',
    },
  },
  settings: {
    GATEWAY_PORT: `the port of the apps and the API (${defaultPorts.GATEWAY_PORT})`,
    NOTIFIER_PORT: `the port of the live feed (${defaultPorts.NOTIFIER_PORT})`,
    MONGODB_URI: 'a replica set to use instead of our own MongoDB; no demo data is made',
    REDIS_URL: 'a Redis to use instead of our own; no demo data is made',
    RABBITMQ_URL: 'a RabbitMQ to use instead of our own; no demo data is made',
    COMANDA_DIR: 'the folder of data and logs (.comanda)',
  },
});

/**
 * Reads the arguments and settings.
 * @throws Refusal for an invalid value or setting
 */
export function readArguments(values: ValuesOf<typeof startCommand>, env: NodeJS.ProcessEnv): StartOptions {
  const { MONGODB_URI: mongodb, REDIS_URL: redis, RABBITMQ_URL: rabbitmq } = env;
  const given = { ...(mongodb && { mongodb }), ...(redis && { redis }), ...(rabbitmq && { rabbitmq }) };
  const { reset = false, empty = false, lan = false } = values;
  if (values.stop && reset)
    throw refusal('--stop and --reset exclude each other. Stop it first; npm start -- --reset deletes the data then.');
  if (empty && values.simulate !== undefined)
    throw refusal('--empty and --simulate exclude each other: a simulation needs the demo data.');
  if (reset) refuseGiven(given, { option: '--reset', why: 'deletes only the data' });
  if (values.simulate !== undefined) refuseGiven(given, { option: '--simulate', why: 'needs the demo data' });
  const gatewayPort = port('GATEWAY_PORT', env);
  const notifierPort = port('NOTIFIER_PORT', env);
  if (gatewayPort === notifierPort) throw refusal('GATEWAY_PORT and NOTIFIER_PORT must be different.');
  const simulationPace = values.simulate === undefined ? null : readPace(values.simulate);
  return { reset, empty, lan, simulationPace, gatewayPort, notifierPort, given };
}

function refuseGiven(given: StartOptions['given'], { option, why }: { option: string; why: string }): void {
  const set = describeGiven(given);
  if (set)
    throw refusal(
      `${option} ${why} of servers that npm start runs itself, but ${set}. Unset ${Object.keys(given).length > 1 ? 'them' : 'it'}, or omit ${option}.`,
    );
}

/** Returns which settings select other servers, such as `MONGODB_URI and REDIS_URL are set`; empty if none do. */
export function describeGiven(given: StartOptions['given']): string {
  const names = (Object.keys(given) as (keyof typeof given)[]).map((name) => settingOfServer[name]);
  const last = names.pop();
  if (!last) return '';
  return names.length > 0 ? `${names.join(', ')} and ${last} are set` : `${last} is set`;
}

function readPace(text: string): number {
  const pace = Number(text);
  if (text === '' || !(pace >= 1 && pace <= 100))
    throw refusal(`--simulate: the pace must be a number from 1 to 100, but is ${JSON.stringify(text)}.`);
  return pace;
}

function port(name: PortVariable, env: NodeJS.ProcessEnv): number {
  const text = env[name];
  if (!text) return defaultPorts[name];
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || value > 65_535)
    throw refusal(`${name} must be a port number from 1 to 65535, but is ${JSON.stringify(text)}.`);
  return value;
}

/** Returns the command line for a start with the same options on these ports. */
export function commandLineOf(start: StartOptions, ports: Record<PortVariable, number>): string {
  const variables = Object.entries(ports)
    .filter(([name, value]) => value !== defaultPorts[name as PortVariable])
    .map(([name, value]) => `${name}=${value}`);
  const options = [
    ...(start.lan ? ['--lan'] : []),
    ...(start.reset ? ['--reset'] : []),
    ...(start.empty ? ['--empty'] : []),
    ...(start.simulationPace === null ? [] : [`--simulate=${start.simulationPace}`]),
  ];
  return [...variables, 'npm start', ...(options.length > 0 ? ['--', ...options] : [])].join(' ');
}
