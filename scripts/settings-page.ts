import type { Setting } from '@comanda/shared/config/load-config';
import { serviceNames, type ServiceName } from '@comanda/local-stack/stack-settings';
import { byValue, defaultOf, listSettings, type ListedSetting } from './setting-list.ts';

/** Generates `docs/settings.md` with the settings of all services, grouped by the services that have them. */
export async function settingsPage(): Promise<string> {
  const all = await listSettings();
  const ofAll = all.filter(({ declared }) => declared.size === serviceNames.length);
  const ofSeveral = all.filter(({ declared }) => declared.size > 1 && declared.size < serviceNames.length);
  const ofOne = (service: ServiceName) => all.filter(({ declared }) => declared.size === 1 && declared.has(service));
  return [
    introduction,
    '## All services',
    table(ofAll),
    '## Several services',
    table(ofSeveral, { services: ({ declared }) => [...declared.keys()].join(', ') }),
    ...serviceNames.toSorted().flatMap((service) => [
      `## ${service}`,
      `It also has the settings of [all services](#all-services), and these of [several services](#several-services): ${ofSeveral
        .filter(({ declared }) => declared.has(service))
        .map(({ env }) => `\`${env}\``)
        .join(', ')}.`,
      table(ofOne(service)),
    ]),
  ].join('\n\n');
}

const introduction = `<!-- Generated from services/*/src/config.ts by \`npm run docs\`. Do not edit. -->

# Settings

Each service reads its settings from environment variables when it starts. \`npm start\` sets all of them for you.

- **Required**: the service doesn't start without a value. _In production_ means with
  \`NODE_ENV=production\`, which the images set.
- **Secret**: set \`NAME\`, or set \`NAME_FILE\` to the path of a file with the value. Secrets have no default and are never logged.
- An empty value counts as not set. Separate the items of a list by commas.
- An IP address in a limit is an IPv4 address or an IPv6 network of 64 bits.
- A wrong value stops the start. The message lists every error, and what is allowed.

[.env.example](../.env.example) has the same settings as a file to copy.`;

type Columns = { services?: (listed: ListedSetting) => string };

function table(settings: readonly ListedSetting[], { services }: Columns = {}): string {
  const headings = ['Setting', ...(services ? ['Services'] : []), 'Default', 'Values', 'What it does'];
  const rows = settings.map((listed) => [
    `\`${listed.env}\``,
    ...(services ? [services(listed)] : []),
    perService(listed, { describe: describeDefault, otherwise: 'none' }),
    perService(listed, { describe: describeValues, otherwise: 'text' }),
    `${listed.about}.`,
  ]);
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(headings), line(headings.map(() => '---')), ...rows.map(line)].join('\n');
}

type Cell = { describe: (setting: Setting<unknown>) => string; otherwise: string };

/**
 * Returns the text that `describe` returns for a setting. If the services have different texts, returns each text with its
 * services, and `otherwise` in place of an empty text.
 */
function perService(listed: ListedSetting, { describe, otherwise }: Cell): string {
  const texts = byValue(listed, describe);
  if (texts.size === 1) return [...texts.keys()].join('');
  return [...texts].map(([text, services]) => `${text || otherwise} (${services.join(', ')})`).join(', ');
}

function describeDefault(setting: Setting<unknown>): string {
  const value = defaultOf(setting);
  if (value === undefined) return '**required**';
  if ('forOneMachine' in setting) return `\`${value}\` (**required** in production)`;
  return value === '' ? '' : `\`${value}\``;
}

/** The unit or kind of a setting's values, by the last word in its name. */
const byLastWord: Record<string, string> = {
  MS: 'ms',
  S: 'seconds',
  HOURS: 'hours',
  DAYS: 'days',
  BYTES: 'bytes',
  PERCENT: '%',
  PORT: 'port',
  URL: 'URL',
  URI: 'URI',
  ENDPOINT: 'URL',
  FILE: 'path of a file',
  FOLDER: 'path of a folder',
  ORIGINS: 'list',
  PROXIES: 'list',
  REQUIRED: 'list',
};

type Described = {
  type?: string;
  flags?: { only?: boolean };
  allow?: string[];
  rules?: { name: string; args?: { limit?: number } }[];
};

function describeValues({ env, schema, secret }: Setting<unknown>): string {
  const { type, flags, allow = [], rules = [] } = schema.describe() as Described;
  const kind = byLastWord[env.split('_').at(-1) ?? ''] ?? '';
  if (secret) return ['secret', kind].filter(Boolean).join(', ');
  if (flags?.only) return allow.map((value) => `\`${value}\``).join(', ');
  if (type === 'boolean') return '`true`, `false`';
  if (type !== 'number' || kind === 'port') return kind;
  const limit = (name: string) => rules.find((rule) => rule.name === name)?.args?.limit?.toLocaleString('en');
  const unit = kind === '%' ? '%' : ` ${kind}`.trimEnd();
  return limit('max') === undefined ? `${limit('min')}${unit} or more` : `${limit('min')} to ${limit('max')}${unit}`;
}
