import type { Restaurant } from '@comanda/contracts/restaurant';
import { single } from '../live/single.ts';
import type { Source } from '../live/source.ts';

/** The restaurant's settings, without the guests' Wi-Fi. */
export const restaurant: Source<Restaurant> = /* @__PURE__ */ single({
  name: 'restaurant',
  get: ({ calls }, options) => calls.getRestaurant({}, options),
  rowIn: ({ type, data }) => (type === 'ordering.settings_changed' ? data.restaurant : null),
});
