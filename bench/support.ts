import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

const resultsFile = fileURLToPath(new URL('results.json', import.meta.url));

/** One side of a comparison: runs once and returns its figure in the row's unit. */
export type Side = () => Promise<number>;
export type Row = {
  /** The key in results.json, e.g. `gateway-get`. */
  name: string;
  /** What is measured, in words. */
  what: string;
  unit: string;
  ours: Side;
  peers: Record<string, { run: Side; atLeast: number } | { run: Side; atMost: number }>;
  /** Clean rounds; 5 by default. */
  rounds?: number;
};
export type Limit = {
  name: string;
  what: string;
  unit: string;
  ours: Side;
  atMost: number;
  rounds?: number;
  /** How the figure came about, one value a minute; drawn in docs/benchmarks.md. */
  curve?: () => readonly number[];
};
/** A row of results.json. */
export type Result = {
  what: string;
  unit: string;
  ours: number;
  rounds: number[];
  measured_at: string;
  /** Cores, architecture and runtime. */
  machine?: string;
  /** One value a minute. */
  curve?: readonly number[];
  against: Record<string, Comparison>;
};
export type Comparison = { peer: number | null; ratio: number | null; target: string; met: boolean };

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? NaN)
    : ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2;
};
/** The percentile `p` (0 to 1) of `values`. */
export const percentile = (values: readonly number[], p: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))] ?? NaN;
};

/** The resident memory of a service according to the metrics at `url`, in megabytes. */
export async function residentMb(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const [, bytes = ''] = /^process_resident_memory_bytes\{.*\} (\S+)$/m.exec(metrics) ?? [];
  return Number(bytes) / 1e6;
}

/** The processor time that processes have used so far, in seconds. Linux only. */
export const cpuSeconds = (pids: readonly number[]): number =>
  pids
    .map((pid) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [])
    .reduce((sum, fields) => sum + (Number(fields[11]) + Number(fields[12])) / clockTicks, 0);
/** Of a second, in `/proc/<pid>/stat`. */
const clockTicks = 100;

const show = (value: number): string => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3));
const progress = (line: string): void => void process.stderr.write(`${line}\n`);

function keep(name: string, result: Result): void {
  const all = existsSync(resultsFile) ? (JSON.parse(readFileSync(resultsFile, 'utf8')) as Record<string, Result>) : {};
  all[name] = result;
  const sorted = Object.fromEntries(Object.entries(all).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(resultsFile, `${JSON.stringify(sorted, null, 2)}\n`);
}

/**
 * Measures ours and every peer, in an order that is reversed each round. Prints the medians and compares the median of the
 * rounds' ratios with the target. Stores all figures in results.json.
 */
export async function compare(row: Row): Promise<void> {
  const rounds = row.rounds ?? 5;
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
      const ratio = median(ours.map((value, index) => value / (theirs[index] ?? NaN)));
      const target = 'atLeast' in peer ? `≥ ${peer.atLeast}` : `≤ ${peer.atMost}`;
      const met = 'atLeast' in peer ? ratio >= peer.atLeast : ratio <= peer.atMost;
      return [name, { peer: median(theirs), ratio, target, met }];
    }),
  );
  report(row, ours, against);
}

/** Compares our median with a fixed limit, and stores the figures in results.json. */
export async function limit(row: Limit): Promise<void> {
  const rounds = row.rounds ?? 5;
  const ours: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const figure = await row.ours();
    ours.push(figure);
    progress(`  ${row.name} round ${round}/${rounds}: ${show(figure)} ${row.unit}`);
  }
  const met = median(ours) <= row.atMost;
  report(row, ours, {
    limit: { peer: null, ratio: null, target: `≤ ${Number(row.atMost.toPrecision(3))} ${row.unit}`, met },
  });
}

function report(
  row: Pick<Limit, 'name' | 'what' | 'unit' | 'curve'>,
  ours: number[],
  against: Record<string, Comparison>,
): void {
  keep(row.name, {
    what: row.what,
    unit: row.unit,
    ours: median(ours),
    rounds: ours,
    measured_at: new Date().toISOString(),
    machine: `${availableParallelism()} cores, ${process.arch}, Node ${process.versions.node}`,
    ...(row.curve && { curve: row.curve() }),
    against,
  });
  console.log(`${row.name}: ${row.what}`);
  for (const [name, { peer, ratio, target, met }] of Object.entries(against)) {
    const theirs = peer === null || ratio === null ? '' : `, ${name} ${show(peer)}, ratio ${ratio.toFixed(2)}`;
    console.log(`  ours ${show(median(ours))} ${row.unit}${theirs}, target ${target}: ${met ? 'met' : 'MISSED'}`);
  }
}
