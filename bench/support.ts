import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

const resultsFile = fileURLToPath(new URL('results.json', import.meta.url));

/** One side of a comparison: Comanda or a baseline. Each call measures one round and returns the figure in the row's unit. */
export type Side = () => Promise<number>;
export type Row = {
  /** The key in results.json, such as `gateway-get`. */
  name: string;
  /** What the row measures, as shown on the results page. */
  what: string;
  unit: string;
  ours: Side;
  peers: Record<string, { run: Side; atLeast: number } | { run: Side; atMost: number }>;
  /** The number of measured rounds. The default is 5. */
  rounds?: number;
};
export type Limit = {
  name: string;
  what: string;
  unit: string;
  ours: Side;
  atMost: number;
  rounds?: number;
};
/** The measurements from a row's last run: one line in results.json. */
export type Result = {
  what: string;
  unit: string;
  /** The median of Comanda's rounds. */
  ours: number;
  /** The day of the measurement (`YYYY-MM-DD`). */
  measured: string;
  /** The machine's cores, architecture and runtime. */
  machine: string;
  against: Record<string, Comparison>;
};
export type Comparison = {
  /**
   * The median of the baseline's rounds; absent if Comanda is compared with a fixed limit. `ratio` is the median of the ratios
   * between Comanda and the baseline in each round.
   */
  figure?: number;
  ratio?: number;
  /** The lowest and highest ratio of all rounds. If the row has a fixed limit, Comanda's lowest and highest figure. */
  spread: [number, number];
  target: string;
  met: boolean;
};

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? NaN)
    : ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2;
};
/** Returns the percentile `p` (0 to 1) of `values`. */
export const percentile = (values: readonly number[], p: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))] ?? NaN;
};

/** Returns a process's resident memory in megabytes. Linux only. */
export const residentMb = (pid: number): number =>
  (Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024) / 1e6;

/** Returns the total CPU time that processes have used so far, in seconds. Linux only. */
export const cpuSeconds = (pids: readonly number[]): number =>
  pids
    .map((pid) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [])
    .reduce((sum, fields) => sum + (Number(fields[11]) + Number(fields[12])) / clockTicks, 0);
/** Clock ticks per second in `/proc/<pid>/stat`. */
const clockTicks = 100;

const show = (value: number): string => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3));
const progress = (line: string): void => void process.stderr.write(`${line}\n`);

const rounded = (value: number): number => Number(value.toPrecision(4));
const spreadOf = (values: readonly number[]): [number, number] => [
  rounded(Math.min(...values)),
  rounded(Math.max(...values)),
];

/** True for `npm run bench -- <row> --try`, which measures a single round and stores nothing. */
const isTrial = process.env['BENCH_TRY'] !== undefined;

function store(name: string, result: Result): void {
  const all = JSON.parse(readFileSync(resultsFile, 'utf8')) as Record<string, Result>;
  all[name] = result;
  const rows = Object.keys(all).toSorted();
  const lines = rows.map((row) => `${JSON.stringify(row)}: ${JSON.stringify(all[row])}`);
  writeFileSync(resultsFile, `{\n${lines.join(',\n')}\n}\n`);
}

/**
 * Measures Comanda and every baseline in each round. Every other round measures them in reverse order. Prints the medians, and
 * compares the median of the rounds' ratios with the target. Stores the figures in results.json.
 */
export async function compare(row: Row): Promise<void> {
  const rounds = isTrial ? 1 : (row.rounds ?? 5);
  const names = Object.keys(row.peers);
  const figures: Record<string, number[]> = { ours: [], ...Object.fromEntries(names.map((name) => [name, []])) };
  for (let round = 1; round <= rounds; round++) {
    const order = round % 2 === 1 ? ['ours', ...names] : [...names.toReversed(), 'ours'];
    for (const side of order) {
      const figure = await (side === 'ours' ? row.ours() : row.peers[side]?.run());
      figures[side]?.push(figure ?? NaN);
      progress(`  ${row.name} round ${round}/${rounds}: ${side} ${show(figure ?? NaN)} ${row.unit}`);
    }
  }
  const ours = figures['ours'] ?? [];
  const against = Object.fromEntries(
    Object.entries(row.peers).map(([name, peer]) => {
      const theirs = figures[name] ?? [];
      const ratios = ours.map((value, index) => value / (theirs[index] ?? NaN));
      const ratio = rounded(median(ratios));
      const target = 'atLeast' in peer ? `≥ ${peer.atLeast}` : `≤ ${peer.atMost}`;
      const met = 'atLeast' in peer ? ratio >= peer.atLeast : ratio <= peer.atMost;
      return [name, { figure: rounded(median(theirs)), ratio, spread: spreadOf(ratios), target, met }];
    }),
  );
  report(row, ours, against);
}

/** Compares Comanda's median with a fixed limit, and stores the figures in results.json. */
export async function limit(row: Limit): Promise<void> {
  const rounds = isTrial ? 1 : (row.rounds ?? 5);
  const ours: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const figure = await row.ours();
    ours.push(figure);
    progress(`  ${row.name} round ${round}/${rounds}: ${show(figure)} ${row.unit}`);
  }
  const target = `≤ ${Number(row.atMost.toPrecision(3))} ${row.unit}`;
  report(row, ours, { limit: { spread: spreadOf(ours), target, met: median(ours) <= row.atMost } });
}

function report(
  { name, what, unit }: Pick<Limit, 'name' | 'what' | 'unit'>,
  ours: number[],
  against: Record<string, Comparison>,
): void {
  const measured = new Date().toISOString().slice(0, 10);
  const machine = `${availableParallelism()} cores, ${process.arch}, Node ${process.versions.node}`;
  if (!isTrial) store(name, { what, unit, ours: rounded(median(ours)), measured, machine, against });
  console.log(`${name}: ${what}`);
  for (const [peer, { figure, ratio, spread, target, met }] of Object.entries(against)) {
    const theirs = figure === undefined || ratio === undefined ? '' : `, ${peer} ${show(figure)}, ratio ${show(ratio)}`;
    console.log(
      `  ours ${show(median(ours))} ${unit}${theirs} (${spread.map(show).join(' to ')}), target ${target}: ${met ? 'met' : 'MISSED'}`,
    );
  }
}
