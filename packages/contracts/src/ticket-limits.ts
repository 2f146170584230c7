import type { Restaurant } from './restaurant.ts';
import type { Station } from './stations.ts';
import { isSameName } from './text-key.ts';

/** After how many minutes a dish is soon late (amber) and late. */
export type TicketLimits = Pick<Station, 'amber_minutes' | 'late_minutes'>;
type Dish = { item_id: number; category: string | null };
type Rules = {
  station: TicketLimits & Pick<Station, 'dishes'>;
  /** The restaurant's limits by category. */
  categories: NonNullable<Restaurant['category_limits']>;
};

/** Returns a dish's limits: its own at its station, otherwise those of its category, otherwise the station's. */
export function limitsOf({ item_id: id, category }: Dish, { station, categories }: Rules): TicketLimits {
  const found =
    station.dishes.find((dish) => dish.item_id === id) ??
    (category === null ? undefined : categories.find((each) => isSameName(each.category, category))) ??
    station;
  return { amber_minutes: found.amber_minutes, late_minutes: found.late_minutes };
}
