import type { Restaurant, Wifi } from '@comanda/contracts/restaurant';

export type CategoryLimits = NonNullable<Restaurant['category_limits']>[number];

/** The managers' settings that no batch needs. */
export type RestaurantProfile = {
  /** The logo's address; null if there is none. */
  logo: string | null;
  /** The colour of the main buttons, as `#rrggbb`; null for the apps' own. */
  accent: string | null;
  /** After how many minutes the dishes of a category are soon late, and late. */
  categoryLimits: readonly CategoryLimits[];
  /** The guests' Wi-Fi; null if no manager has set it. It must reach no event, log or record. */
  wifi: Wifi | null;
};

export const emptyProfile: RestaurantProfile = { logo: null, accent: null, categoryLimits: [], wifi: null };
