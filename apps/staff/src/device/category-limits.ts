import type { Client, Collection, LiveItem } from '@comanda/client/core';
import { menu } from '@comanda/client/collections/menu';
import { restaurant } from '@comanda/client/collections/restaurant';
import { effect, signal } from '@preact/signals';
import { onDevice } from '../on-device.ts';
import type { CategoryLimits } from '../bumps/station-rules.ts';

/**
 * Follows after how many minutes the dishes of each category are late, and the category of each dish. The device stores it for
 * when there is no network. The menu is loaded only if a category has limits.
 */
export function openCategoryLimits(client: Pick<Client, 'collection'>) {
  // The same object until something differs, because all cards depend on it, and each order changes the menu's portions.
  const current = signal(onDevice.categoryLimits.get());
  const settings = client.collection(restaurant);
  const opened = signal<Collection<LiveItem> | null>(null);
  const limitsNow = (): CategoryLimits['limits'] => settings.rows.value[0]?.category_limits ?? [];
  const stopLoading = effect(() => {
    const limits = limitsNow();
    if (limits.length > 0 && opened.peek() === null) opened.value = client.collection(menu);
  });
  const stopFollowing = effect(() => {
    if (!settings.isLoaded.value) return;
    const limits = limitsNow();
    const dishes = opened.value;
    if (limits.length > 0 && dishes?.isLoaded.value !== true) return;
    const categories = dishes?.rows.value.map(({ id, category }) => [id, category] as const) ?? [];
    const next: CategoryLimits = { limits, categoryOf: Object.fromEntries(categories) };
    if (JSON.stringify(next) === JSON.stringify(current.peek())) return;
    current.value = next;
    onDevice.categoryLimits.write(next);
  });
  return {
    current,
    close: (): void => {
      stopFollowing();
      stopLoading();
      opened.peek()?.close();
      settings.close();
    },
  };
}
