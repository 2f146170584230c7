import type { Restaurant } from '@comanda/contracts/restaurant';
import { computed } from '@preact/signals';
import { onDevice } from './on-device.ts';

/** The restaurant's name, logo and colour, as this phone last loaded them. Before the first response, the name is empty. */
export const restaurant = computed(() => onDevice.restaurant.signal.value);

/** Shows these settings, and stores them for the next visit. */
export function showRestaurant({ name, logo = null, accent = null }: Restaurant): void {
  onDevice.restaurant.write({ name, logo, accent });
  paintMainButtons();
}

/** Returns the colour with this share of its light, for a pressed button. */
const darkened = (colour: string, share: number): string =>
  `#${(colour.match(/[\da-f]{2}/gi) ?? [])
    .map((channel) =>
      Math.round(Number.parseInt(channel, 16) * share)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;

/** Gives the main buttons the restaurant's colour, with white text: the server has checked its contrast. */
export function paintMainButtons(): void {
  const { accent } = restaurant.value;
  const { style } = document.documentElement;
  const colours = { '--main': accent, '--on-main': 'white', '--main-pressed': accent && darkened(accent, 0.85) };
  for (const [name, colour] of Object.entries(colours))
    if (accent === null || colour === null) style.removeProperty(name);
    else style.setProperty(name, colour);
}
