import type { AskedOption, ItemOption } from './item-options.ts';

/** Returns the option as a request names it, with those below it. */
export const toAskedOption = ({ id, quantity, options }: Pick<ItemOption, keyof AskedOption>): AskedOption => ({
  id,
  quantity,
  ...(options.length > 0 && { options: options.map(toAskedOption) }),
});
