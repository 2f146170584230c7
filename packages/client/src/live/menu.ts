import type { MenuItem } from '@comanda/contracts/menu';
import type { Server, Source } from './resources.ts';

type MaybeDeleted = MenuItem & { deleted?: boolean };
const isOnMenu = (dish: MaybeDeleted): boolean => dish.deleted !== true;

/** The menu, sorted by category and position. */
export const menuSource = ({ calls }: Server): Source<MenuItem> => ({
  load: async function* loadMenu(options) {
    yield await calls.listMenu({}, options);
  },
  loadOne: (id, options) => calls.getMenuItem({ id }, options),
  isPublic: true,
  idOf: ({ id }) => id,
  versionOf: ({ version }) => version,
  rowIn: ({ data }) => ('item' in data ? (data.item as MaybeDeleted) : null),
  select: (dishes) =>
    dishes
      .filter(isOnMenu)
      .sort((a, b) => (a.category ?? '').localeCompare(b.category ?? '') || a.position - b.position),
  checksum: { name: 'menu', includes: isOnMenu },
});
