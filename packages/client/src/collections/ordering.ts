import type { Ordering } from '@comanda/contracts/ordering';
import { single } from '../live/single.ts';
import type { Source } from '../live/source.ts';

/** The ordering pause: whether customers can order, and when a pause ends. */
export const ordering: Source<Ordering> = /* @__PURE__ */ single({
  name: 'ordering',
  get: ({ calls }, options) => calls.getOrdering({}, options),
  rowIn: ({ type, data }) => (type === 'ordering.changed' ? data : null),
});
