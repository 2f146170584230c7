import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.ts';

/** The contents of the tour in docs/tour.md. */
export type Tour = {
  /** The page's code blocks that apply to all readers, in order. */
  blocks: readonly string[];
  /** Additional code blocks for readers who have only Docker. */
  forDocker: readonly string[];
  /** The text of the whole page. */
  page: string;
};

export function readTour(): Tour {
  const page = readFileSync(join(root, 'docs/tour.md'), 'utf8');
  const found = [...page.matchAll(/```sh(| docker)\n([^]*?)```/g)];
  const textsOf = (kind: string): string[] => found.filter(([, each]) => each === kind).map(([, , text = '']) => text);
  return { blocks: textsOf(''), forDocker: textsOf(' docker'), page };
}

/** Texts that the tour prints if everything works. */
export const printedByTour = [
  '"total":"124.00"',
  '"pointer":"/items/0/quantity"',
  '"pointer":"/items/0/price"',
  '"status":"posted"',
  '"amount":"12.50"',
  '"change":"2.00"',
];
/** Matches output that appears only if something is wrong. */
export const neverPrintedByTour = /undefined|not found|SyntaxError|ECONN|not connected|^live/m;
/** The problem codes of the tour's calls that are supposed to fail, in order. */
export const refusedByTour = ['validation_failed', 'step_up_required', 'step_up_used'];
