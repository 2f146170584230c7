import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Setting } from '@comanda/shared/config/load-config';
import { root } from '@comanda/local-stack/root';
import { settingsOfService } from '@comanda/local-stack/settings-of-service';

/** One setting with the services that have it, and its default in each. */
type Listed = { setting: Setting<unknown>; defaults: Map<string, string | undefined> };

/** The settings of all services as the text of `.env.example`: those without a default first. */
export async function environmentExample(): Promise<string> {
  const byName = new Map<string, Listed>();
  const services = readdirSync(join(root, 'services')).toSorted();
  for (const service of services) {
    for (const setting of Object.values(await settingsOfService(service))) {
      const listed = byName.get(setting.env) ?? { setting, defaults: new Map() };
      listed.defaults.set(service, defaultOf(setting));
      byName.set(setting.env, listed);
    }
  }
  const all = [...byName.values()].toSorted((a, b) => (a.setting.env < b.setting.env ? -1 : 1));
  const isRequired = ({ defaults }: Listed): boolean => [...defaults.values()].includes(undefined);
  return [
    introduction,
    '# ---- Without a default: a service does not start before these have a value ----',
    ...all.filter(isRequired).map((listed) => describe(listed, services.length)),
    '# ---- With a default, which is shown ----',
    ...all.filter((listed) => !isRequired(listed)).map((listed) => describe(listed, services.length)),
  ].join('\n\n');
}

const introduction = `# The settings of all services, generated from services/*/src/config.ts by npm run docs. npm start sets all of them itself.
# To run one service: in one terminal, npm run --silent servers > .env writes the URLs of servers, SERVICE_SECRET and
# CALLER_SECRETS. Below these lines of .env, put the other secrets that the service needs, with values (each start of the servers
# writes the file again). In a second terminal:
#   set -a; . ./.env; set +a; npm run dev --workspace services/orders
# A secret can also be in a file: NAME_FILE instead of NAME.`;

/** The default as a text for the environment; undefined if there is none and a value is required. */
function defaultOf({ schema }: Setting<unknown>): string | undefined {
  const { value, error } = schema.validate(undefined);
  if (error) return undefined;
  return (Array.isArray(value) ? value : [value ?? '']).map(String).join(',');
}

function describe({ setting, defaults }: Listed, serviceCount: number): string {
  const { env, about, secret } = setting;
  const services = defaults.size === serviceCount ? 'all services' : [...defaults.keys()].join(', ');
  const lines = [`# ${about.replace(/\.$/, '')}. For ${services}.${secret ? ' Secret.' : ''}`];
  const values = new Map<string | undefined, string[]>();
  for (const [service, value] of defaults) values.set(value, [...(values.get(value) ?? []), service]);
  if (values.has(undefined)) return [...lines, `${env}=`].join('\n');
  for (const [value = '', owners] of values)
    lines.push(`# ${env}=${value}${values.size > 1 ? `   (${owners.join(', ')})` : ''}`);
  return lines.join('\n');
}
