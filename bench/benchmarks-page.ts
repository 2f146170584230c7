import type { Comparison, Result } from './support.ts';

export type Results = Readonly<Record<string, Result>>;

/** The sections of `docs/benchmarks.md`, and how the names of their rows begin. */
const sections: readonly { title: string; rows: readonly string[] }[] = [
  { title: 'An order to the kitchen', rows: ['order'] },
  { title: 'The bill', rows: ['bill'] },
  { title: 'Money and consent', rows: ['transfers', 'pin-check', 'sign-in'] },
  { title: 'The gateway', rows: ['gateway'] },
  { title: 'The live feed', rows: ['broadcast', 'many-sockets', 'replay'] },
  { title: 'Start, memory and the cost of a day', rows: ['start-up', 'idle-memory', 'day'] },
  { title: '45 minutes', rows: ['endurance'] },
];

/** The page with all results, as Markdown. Targets that were missed are in bold. */
export function benchmarksPage(results: Results): string {
  const all = Object.entries(results);
  const missed = all.filter(([, { against }]) => Object.values(against).some(({ met }) => !met)).length;
  const parts = sections.map(({ title, rows }) => {
    const own = all.filter(([name]) => rows.some((row) => name.startsWith(row)));
    return `## ${title}\n\n${table(own.map(([, result]) => result))}\n`;
  });
  return `<!-- Generated from bench/results.json by \`npm run bench\`. Do not edit. -->

# Benchmarks

Each row is a command, \`npm run bench -- <row>\`; [bench](../bench/README.md) says how it measures. A figure alone says
something about the machine. The ratio to a peer that took turns with Comanda in the same run says something about Comanda.
In brackets: the lowest and the highest of the rounds. Missed targets are in bold: ${missed} of ${all.length} rows.

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
