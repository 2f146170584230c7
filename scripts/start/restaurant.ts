import { existsSync, readFileSync } from 'node:fs';
import { writeAtomically } from '@comanda/local-stack/write-atomically';
import { refusal } from '@comanda/local-stack/servers/refusal';

/** The restaurant in the data: the demo's, or one that its owner sets up. */
export type Restaurant = 'demo' | 'empty';

type Wish = {
  /** The restaurant in the data of earlier starts; null if there is none yet. */
  stored: Restaurant | null;
  /** True with `--empty`. */
  wantsEmpty: boolean;
  /** True with `--simulate`. */
  simulates: boolean;
};

/**
 * Returns which restaurant this start uses. An empty one stays empty, so a later start without `--empty` adds no demo data.
 * @throws Refusal if the data has the other restaurant
 */
export function chooseRestaurant({ stored, wantsEmpty, simulates }: Wish): Restaurant {
  if (wantsEmpty && stored === 'demo')
    throw refusal(
      '--empty needs a restaurant without demo data, but an earlier start set up the demo data. ' +
        'Delete the data and start again:   npm start -- --empty --reset',
    );
  const restaurant = stored ?? (wantsEmpty ? 'empty' : 'demo');
  if (simulates && restaurant === 'empty')
    throw refusal(
      '--simulate needs the demo data, but this restaurant was started with --empty. Omit --simulate, or set ' +
        'COMANDA_DIR to another folder for the demo.',
    );
  return restaurant;
}

/** Reads which restaurant earlier starts have set up. `seededFile`: the only mark that starts before `--empty` left. */
export function readRestaurant(file: string, seededFile: string): Restaurant | null {
  if (existsSync(file)) return readFileSync(file, 'utf8').trim() === 'empty' ? 'empty' : 'demo';
  return existsSync(seededFile) ? 'demo' : null;
}

export const writeRestaurant = (file: string, restaurant: Restaurant): void => writeAtomically(file, `${restaurant}\n`);
