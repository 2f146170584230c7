import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.ts';

/** The blocks of the README's tour, in their order. */
export type ReadmeTour = {
  /** For everybody. */
  blocks: readonly string[];
  /** What else is pasted where Comanda runs in Docker alone. */
  forDocker: readonly string[];
  /** The text of the chapter, with its blocks. */
  chapter: string;
};

export function readTour(): ReadmeTour {
  const [, after = ''] = readFileSync(join(root, 'README.md'), 'utf8').split('\n## A tour\n');
  const chapter = after.split('\n## ')[0] ?? '';
  const found = [...chapter.matchAll(/```sh(| docker)\n([^]*?)```/g)];
  const textsOf = (kind: string): string[] => found.filter(([, each]) => each === kind).map(([, , text = '']) => text);
  return { blocks: textsOf(''), forDocker: textsOf(' docker'), chapter };
}

/** What the tour prints when everything works. */
export const printedByTour = [
  '"total":"124.00"',
  '"pointer":"/items/0/quantity"',
  '"pointer":"/items/0/unit_price"',
  '"status":"posted"',
  '"amount":"12.50"',
  '"change":"2.00"',
];
/** What the tour prints only if something is wrong. */
export const neverPrintedByTour = /undefined|not found|SyntaxError|ECONN|not connected|^live/m;
/** The refusals of a tour, in their order. */
export const refusedByTour = ['validation_failed', 'step_up_required', 'step_up_used'];
