import type { Comparison, Result } from './support.ts';

export type Results = Readonly<Record<string, Result>>;

/** The sections of `bench/results.md`. `rows` lists how the names of a section's rows begin. */
const sections: readonly { title: string; rows: readonly string[] }[] = [
  { title: 'An order to the kitchen', rows: ['order'] },
  { title: 'The bill', rows: ['bill'] },
  { title: 'Money and PINs', rows: ['transfers', 'pix', 'pin-check', 'sign-in'] },
  { title: 'The gateway', rows: ['gateway'] },
  { title: 'The live feed', rows: ['broadcast', 'many-sockets', 'replay'] },
  { title: 'Start, memory and the cost of a day', rows: ['start-up', 'idle-memory', 'day'] },
  { title: '45 minutes', rows: ['endurance'] },
];

/** The labels of the rows in `docs/benchmarks.md`, by row name. */
const highlights: Readonly<Record<string, string>> = {
  'order-saturation': 'Orders that reach the kitchen, at most, none lost',
  'order-to-kitchen-p99-limit': 'Time from an order to the kitchen at 100 orders a second, p99',
  'endurance-memory': '', // No label, because the result already contains the number of orders.
  'bill-payers': 'Time until 50 guests who pay one bill at once have their responses',
  'transfers-http': 'Transfers between 10,000 accounts, each with its own approval',
  'many-sockets-back': 'Time until 10,000 screens are back after their notifier was killed',
  day: 'CPU time of a day: all services and servers, 500 orders, 20 screens for ten hours',
  'start-up-first': 'Time of the first `npm start` in a fresh clone',
};

const isMet = ({ against }: Result): boolean => Object.values(against).every(({ met }) => met);
const countMet = (results: Results): string => {
  const all = Object.values(results);
  return `${all.filter(isMet).length} of ${all.length} rows meet their target`;
};
const generated = '<!-- Generated from bench/results.json by `npm run bench`. Do not edit. -->';

/** Returns `docs/benchmarks.md` as Markdown, with the rows in `highlights`. */
export function benchmarksPage(results: Results): string {
  const rows = Object.entries(highlights).flatMap(([name, label]) => {
    const result = results[name];
    const [[peer, comparison] = []] = Object.entries(result?.against ?? {});
    if (!result || peer === undefined || !comparison) return [];
    const { figure, ratio, target, met } = comparison;
    const isLimit = figure === undefined || ratio === undefined;
    const wanted = isLimit ? target : `${target}× ${peer} (${ratio.toFixed(2)}×)`;
    const cells = [
      label || result.what.replaceAll(/\d{4,}/g, (digits) => Number(digits).toLocaleString('en')),
      `${show(result.ours)} ${result.unit}`,
      wanted,
      met ? 'yes' : '**no**',
    ];
    return `| ${[...cells, result.measured].join(' | ')} |`;
  });
  return `${generated}

# Benchmarks

${countMet(results)}. These are the ones that most readers ask for; [bench/results.md](../bench/results.md) has all of them.

| What | Comanda | Target | Met | Measured |
| - | - | - | - | - |
${rows.join('\n')}

All figures are from a machine with two cores. Many targets compare Comanda with a peer: a smaller program that does the same
job on the same servers, in turns with Comanda. The ratio in brackets is the median of all rounds. Run any row yourself with
\`npm run bench -- ROW\` ([how](../bench/README.md)). [Cost and limits](cost-and-limits.md) says what a restaurant needs.
`;
}

/** Returns `bench/results.md` as Markdown with all rows. Missed targets are in bold. */
export function resultsPage(results: Results): string {
  const all = Object.entries(results);
  const parts = sections.map(({ title, rows }) => {
    const own = all.filter(([name]) => rows.some((row) => name.startsWith(row)));
    return `## ${title}\n\n${table(own.map(([, result]) => result))}\n`;
  });
  return `${generated}

# Results

${countMet(results)}; missed targets are in bold. [README](README.md) says how each row is measured. A figure on its own says
something about the machine. The ratio to a peer says something about Comanda. In brackets: the lowest and the highest round.

${parts.join('\n')}`;
}

const show = (value: number): string =>
  Math.abs(value) >= 1_000
    ? Math.round(value).toLocaleString('en')
    : String(Number(value.toPrecision(Math.abs(value) >= 100 ? 3 : 2)));

function table(results: readonly Result[]): string {
  const rows = results.flatMap(({ what, unit, ours, measured, machine, against }) =>
    Object.entries(against).map(([peer, comparison], index) => {
      const first = index === 0;
      const own = first ? [what, `${show(ours)} ${unit}`] : ['', ''];
      const when = first ? `${measured}, ${machine}` : '';
      return `| ${[...own, ...comparisonCells(peer, comparison, unit), when].join(' | ')} |`;
    }),
  );
  return ['| What | Comanda | Against | Ratio | Target | Measured |', '| - | - | - | - | - | - |', ...rows].join('\n');
}

function comparisonCells(peer: string, { figure, ratio, spread, target, met }: Comparison, unit: string): string[] {
  const missed = (text: string): string => (met ? text : `**${text}**`);
  if (figure === undefined || ratio === undefined) return ['', `(${spread.map(show).join(' to ')})`, missed(target)];
  const span = spread.map((each) => each.toFixed(2)).join(' to ');
  return [`${peer}: ${show(figure)} ${unit}`, `${missed(`${ratio.toFixed(2)}×`)} (${span})`, missed(`${target}×`)];
}
