import type { Stops } from '@comanda/contracts/stops';
import { single } from '../live/single.ts';
import type { Source } from '../live/source.ts';

/** What managers have stopped, if anything: transfers or sign-ups. */
export const stops: Source<Stops> = /* @__PURE__ */ single({
  name: 'stops',
  get: ({ calls }, options) => calls.getStops({}, options),
  rowIn: ({ type, data }) => (type === 'stops.changed' ? data : null),
});
