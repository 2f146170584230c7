import { serviceNames } from '@comanda/local-stack/stack-settings';
import { byValue, defaultOf, listSettings, type ListedSetting } from './setting-list.ts';

/** Generates `.env.example` with all services' settings. Settings without a default come first. */
export async function environmentExample(): Promise<string> {
  const all = await listSettings();
  const isRequired = (listed: ListedSetting): boolean => byValue(listed, defaultOf).has(undefined);
  return [
    introduction,
    '# ---- Without a default: a service does not start before these have a value ----',
    ...all.filter(isRequired).map(describe),
    '# ---- With a default, which is shown ----',
    ...all.filter((listed) => !isRequired(listed)).map(describe),
  ].join('\n\n');
}

const introduction = `# The settings of all services, generated from services/*/src/config.ts by npm run docs. docs/settings.md also lists the
# values that each setting allows. npm start sets all of them itself.
# To run one service, start the servers in one terminal: npm run --silent servers > .env
# This writes the URLs of the servers, SERVICE_SECRET and CALLER_SECRETS. Add the other secrets that the service needs below
# these lines of .env. Add them again after each start of the servers, which overwrites the file. In a second terminal, run:
#   set -a; . ./.env; set +a; npm run dev --workspace services/orders
# A secret can also be in a file: NAME_FILE instead of NAME.`;

function describe(listed: ListedSetting): string {
  const { env, about, isSecret, declared } = listed;
  const services = declared.size === serviceNames.length ? 'all services' : [...declared.keys()].join(', ');
  const heading = `# ${about}. For ${services}.${isSecret ? ' Secret.' : ''}`;
  const defaults = byValue(listed, defaultOf);
  if (defaults.has(undefined)) return [heading, `${env}=`].join('\n');
  const lines = [...defaults].map(
    ([value = '', owners]) => `# ${env}=${value}${defaults.size > 1 ? `   (${owners.join(', ')})` : ''}`,
  );
  return [heading, ...lines].join('\n');
}
