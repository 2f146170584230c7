import type { Restaurant } from '@comanda/contracts/restaurant';
import { single } from '../live/single.ts';
import type { Source } from '../live/source.ts';

/** The restaurant's settings. The feed has no event for their changes, so they are fetched again every 5 min. */
export const restaurant: Source<Restaurant> = /* @__PURE__ */ single({
  name: 'restaurant',
  get: ({ calls }, options) => calls.getRestaurant({}, options),
});
