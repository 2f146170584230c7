import { readFileSync } from 'node:fs';
import type { Comparison, Result } from './support.ts';

export type Results = Readonly<Record<string, Result>>;

/** The items of found.md: the rows that each begins with, and the whole of it. */
const found = readFileSync(new URL('found.md', import.meta.url), 'utf8')
  .split(/^(?=- )/m)
  .slice(1)
  .map((item) => ({ rows: [...(item.split(': ')[0] ?? '').matchAll(/`(.+?)`/g)].map(([, row = '']) => row), item }));

/** The rows of `docs/benchmarks.md`, in sections. A row that stands in no section is added to the last one. */
const sections: readonly { title: string; rows: readonly string[] }[] = [
  {
    title: 'An order to the kitchen',
    rows: [
      'order-to-kitchen-p50',
      'order-to-kitchen-p99',
      'order-to-kitchen-p99-limit',
      'order-saturation',
      'orders-batch-without-portions',
      'orders-batch-with-portions',
      'portions-one-dish',
      'orders-listing-by-status',
      'orders-listing-of-a-table',
      'orders-listing-of-all',
      'orders-listing-keys',
      'waiting-events',
      'open-orders',
      'open-orders-idle',
    ],
  },
  {
    title: 'The bill',
    rows: ['bill-payment-cash', 'bill-payers'],
  },
  {
    title: 'Money and consent',
    rows: [
      'transfers-http',
      'transfers-http-hot',
      'transfers-cpu',
      'ledger-write-path',
      'ledger-write-path-hot',
      'transfers-two-instances',
      'transfers-two-instances-p99',
      'step-up-consume',
      'pin-check',
      'pin-check-beside-sign-ins',
      'pin-check-livez',
      'sign-in',
      'sign-in-livez',
    ],
  },
  {
    title: 'The gateway',
    rows: ['gateway-get', 'gateway-post', 'gateway-latency-0-ms', 'gateway-latency-3-ms'],
  },
  {
    title: 'The live feed and the screens',
    rows: [
      'broadcast',
      'many-sockets-idle',
      'many-sockets-memory',
      'many-sockets-p99-5',
      'many-sockets-p99-20',
      'many-sockets-back',
      'replay',
      'idle-sockets',
      'kitchen-board',
    ],
  },
  { title: '45 minutes', rows: ['endurance-memory', 'endurance-p99', 'endurance-outbox'] },
  { title: 'Start and memory', rows: [] },
];
/** Rows that are drawn. */
const charts = [
  'order-to-kitchen-p50',
  'order-to-kitchen-p99',
  'order-saturation',
  'transfers-http',
  'transfers-http-hot',
  'gateway-get',
  'broadcast',
];

/** `docs/benchmarks.md`: every row of `bench/results.json` with its figure, peers, ratios and targets, and what was found. */
export function benchmarksPage(results: Results): string {
  const placed = new Set(sections.flatMap(({ rows }) => rows));
  const others = Object.keys(results).filter((name) => !placed.has(name));
  const missed = Object.values(results).filter(isMissed);
  const parts = sections.map(({ title, rows }, index) => {
    const names = index === sections.length - 1 ? [...rows, ...others] : rows;
    return `## ${title}\n\n${table(names, results)}\n${whatWasFound(names, results)}`;
  });
  return `<!-- Generated from bench/results.json by \`npm run bench\`. Do not edit. -->

# Benchmarks

Each row is a command, \`npm run bench -- <row>\`; [bench](../bench/README.md) says how it measures. A figure alone says
something about the machine. The ratio to a peer that took turns with Comanda in the same run says something about Comanda.
${missed.length === 0 ? 'All targets are met.' : `Missed targets are in bold: ${missed.length} of ${Object.keys(results).length} rows.`}

${charts.flatMap((name) => (results[name] ? [chart(results[name])] : [])).join('\n')}
${Object.values(results).flatMap(curve).join('\n')}
${parts.join('\n')}`;
}

const show = (value: number): string =>
  Math.abs(value) >= 1_000
    ? Math.round(value).toLocaleString('en')
    : String(Number(value.toPrecision(Math.abs(value) >= 100 ? 3 : 2)));

function table(names: readonly string[], results: Results): string {
  const rows = names.flatMap((name) => {
    const result = results[name];
    if (!result) return [];
    const { what, unit, ours, measured_at: measuredAt, machine } = result;
    return Object.entries(result.against).map(([peer, comparison], index) => {
      const own = index === 0 ? [what, `${show(ours)} ${unit}`] : ['', ''];
      const when = index === 0 ? `${measuredAt.slice(0, 10)}${machine === undefined ? '' : `, ${machine}`}` : '';
      return `| ${[...own, ...comparisonCells(peer, comparison, unit), when].join(' | ')} |`;
    });
  });
  return ['| What | Comanda | Against | Ratio | Target | Measured |', '| - | - | - | - | - | - |', ...rows].join('\n');
}

const isMissed = (result: Result | undefined): boolean =>
  result !== undefined && Object.values(result.against).some(({ met }) => !met);

/** What was found about the missed targets among `names`. */
function whatWasFound(names: readonly string[], results: Results): string {
  const isWanted = (name: string): boolean => names.includes(name) && isMissed(results[name]);
  const items = found.filter(({ rows }) => rows.some(isWanted)).map(({ item }) => item.trimEnd());
  return items.length === 0 ? '' : `\nWhat was found about the missed targets:\n\n${items.join('\n')}\n`;
}

function comparisonCells(name: string, { peer, ratio, target, met }: Comparison, unit: string): string[] {
  const missed = (text: string): string => (met ? text : `**${text}**`);
  if (peer === null || ratio === null) return ['', '', missed(target)];
  return [`${name}: ${show(peer)} ${unit}`, missed(`${ratio.toFixed(2)}×`), missed(`${target}×`)];
}

const levels = '▁▂▃▄▅▆▇█';
/** The values of a curve, from 0 to its highest, each as a character. */
function curve({ what, unit, curve: values = [] }: Result): string[] {
  if (values.length === 0) return [];
  const highest = Math.max(...values);
  const line = values.map((value) => levels[Math.min(7, Math.floor((8 * value) / (highest || 1)))]).join('');
  return [`\`\`\`\n${what}, by minute, up to ${show(highest)} ${unit}\n${line}\n\`\`\`\n`];
}

const barLength = 40;
/** Bars of ours and of the peers, to one scale. */
function chart({ what, unit, ours, against }: Result): string {
  const sides = [
    ['Comanda', ours] as const,
    ...Object.entries(against).flatMap(([name, { peer }]) => (peer === null ? [] : [[name, peer] as const])),
  ];
  const longest = Math.max(...sides.map(([, value]) => value));
  const width = Math.max(...sides.map(([name]) => name.length));
  const lines = sides.map(([name, value]) => {
    const bar = '█'.repeat(Math.max(1, Math.round((barLength * value) / longest)));
    return `${name.padEnd(width)}  ${bar} ${show(value)}`;
  });
  return `\`\`\`\n${what}, ${unit}\n${lines.join('\n')}\n\`\`\`\n`;
}
