import type { MenuItem } from '@comanda/contracts/menu';
import type { Source } from '../live/source.ts';

type MaybeDeleted = MenuItem & { deleted?: boolean };
const isOnMenu = (dish: MaybeDeleted): boolean => dish.deleted !== true;

/** The menu, sorted by category and position. */
export const menu: Source<MenuItem> = {
  name: 'menu',
  load: async function* loadMenu({ calls }, options) {
    yield await calls.listMenu({}, options);
  },
  loadOne: ({ calls }, id, options) => calls.getMenuItem({ id }, options),
  isPublic: true,
  idOf: ({ id }) => id,
  versionOf: ({ version }) => version,
  rowIn: ({ data }) => ('item' in data ? (data.item as MaybeDeleted) : null),
  removedByCalls: { deleteMenuItem: ({ id }) => id },
  select: (dishes) =>
    dishes
      .filter(isOnMenu)
      .sort((a, b) => (a.category ?? '').localeCompare(b.category ?? '') || a.position - b.position),
  checksum: { name: 'menu', includes: isOnMenu },
};
