import { refusal } from '../servers/refusal.ts';

export type StartOptions = {
  /** Delete the data of earlier runs first. */
  reset: boolean;
  /** Listen for other machines of the network. */
  lan: boolean;
  /** Simulated guests, cooks and waiters, so many times faster than real ones; null without them. */
  dinner: number | null;
  gatewayPort: number;
  notifierPort: number;
  /** Servers to use instead of our own; their URLs come from the environment. */
  given: { mongodb?: string; redis?: string; rabbitmq?: string };
};

const usage = `Usage: npm start -- [--lan] [--reset] [--dinner[=pace]]
  --lan      listen on all interfaces, and print the address and a QR code for phones and tablets
  --reset    delete the data of earlier runs first
  --dinner   simulated guests, cooks and waiters work the demo restaurant; pace: how many times faster than real ones (10)
Settings in the environment: GATEWAY_PORT (3000), NOTIFIER_PORT (3004), MONGODB_URI, REDIS_URL, RABBITMQ_URL,
COMANDA_DIR (.comanda: data and logs).`;

/** @throws Refusal for an unknown flag or an invalid setting */
export function readArguments(args: readonly string[], env: NodeJS.ProcessEnv): StartOptions {
  const unknown = args.filter((arg) => arg !== '--lan' && arg !== '--reset' && !/^--dinner(=|$)/.test(arg));
  if (unknown.length > 0) throw refusal(`Unknown option: ${unknown.join(' ')}\n${usage}`);
  const { MONGODB_URI: mongodb, REDIS_URL: redis, RABBITMQ_URL: rabbitmq } = env;
  const given = { ...(mongodb && { mongodb }), ...(redis && { redis }), ...(rabbitmq && { rabbitmq }) };
  const reset = args.includes('--reset');
  if (reset && Object.keys(given).length > 0)
    throw refusal(
      '--reset deletes only the data of servers that npm start runs itself, but MONGODB_URI, REDIS_URL or RABBITMQ_URL is set. ' +
        'Unset them, or omit --reset.',
    );
  const gatewayPort = port('GATEWAY_PORT', env, 3000);
  const notifierPort = port('NOTIFIER_PORT', env, 3004);
  if (gatewayPort === notifierPort) throw refusal('GATEWAY_PORT and NOTIFIER_PORT must be different.');
  return { reset, lan: args.includes('--lan'), dinner: dinnerPace(args), gatewayPort, notifierPort, given };
}

function dinnerPace(args: readonly string[]): number | null {
  const flag = args.findLast((arg) => arg.startsWith('--dinner'));
  if (flag === undefined) return null;
  const [, text = '10'] = flag.split('=');
  const pace = Number(text);
  if (text === '' || !(pace >= 1 && pace <= 100))
    throw refusal(`--dinner: the pace must be a number from 1 to 100.\n${usage}`);
  return pace;
}

function port(name: string, env: NodeJS.ProcessEnv, defaultPort: number): number {
  const text = env[name];
  if (!text) return defaultPort;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || value > 65_535)
    throw refusal(`${name} must be a port number from 1 to 65535, but is ${JSON.stringify(text)}.`);
  return value;
}
