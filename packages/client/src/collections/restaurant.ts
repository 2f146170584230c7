import type { Restaurant } from '@comanda/contracts/restaurant';
import { single } from '../live/single.ts';
import type { Source } from '../live/source.ts';

/** The restaurant's settings. No event reports a change. */
export const restaurant: Source<Restaurant> = /* @__PURE__ */ single({
  name: 'restaurant',
  get: ({ calls }, options) => calls.getRestaurant({}, options),
});
