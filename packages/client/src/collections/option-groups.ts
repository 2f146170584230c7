import type { OptionGroup } from '@comanda/contracts/option-groups';
import type { Source } from '../live/source.ts';

type MaybeDeleted = OptionGroup & { deleted?: boolean };
const isThere = (group: MaybeDeleted): boolean => group.deleted !== true;

/** The groups of options from which guests choose, by id. */
export const optionGroups: Source<OptionGroup> = {
  name: 'option_groups',
  load: async function* loadOptionGroups({ calls }, options) {
    yield await calls.listOptionGroups({}, options);
  },
  loadOne: ({ calls }, id, options) => calls.getOptionGroup({ id }, options),
  isPublic: true,
  idOf: ({ id }) => id,
  versionOf: ({ version }) => version,
  rowIn: ({ data }) => ('group' in data ? (data.group as MaybeDeleted) : null),
  removedByCalls: { deleteOptionGroup: ({ id }) => id },
  select: (groups) => groups.filter(isThere).sort((a, b) => a.id - b.id),
  checksum: { name: 'option_groups', includes: isThere },
};
