import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.ts';

/** The code blocks in docs/tour.md, in order. */
export type Tour = {
  /** Blocks for all readers. */
  blocks: readonly string[];
  /** Further blocks, only for readers who run Comanda only in Docker. */
  forDocker: readonly string[];
  /** The whole page. */
  page: string;
};

export function readTour(): Tour {
  const page = readFileSync(join(root, 'docs/tour.md'), 'utf8');
  const found = [...page.matchAll(/```sh(| docker)\n([^]*?)```/g)];
  const textsOf = (kind: string): string[] => found.filter(([, each]) => each === kind).map(([, , text = '']) => text);
  return { blocks: textsOf(''), forDocker: textsOf(' docker'), page };
}

/** Texts that the tour prints when everything works. */
export const printedByTour = [
  '"total":"124.00"',
  '"pointer":"/items/0/quantity"',
  '"pointer":"/items/0/unit_price"',
  '"status":"posted"',
  '"amount":"12.50"',
  '"change":"2.00"',
];
/** Matches texts that the tour prints only if something is wrong. */
export const neverPrintedByTour = /undefined|not found|SyntaxError|ECONN|not connected|^live/m;
/** The problem codes of the calls that are expected to fail in the tour, in order. */
export const refusedByTour = ['validation_failed', 'step_up_required', 'step_up_used'];
