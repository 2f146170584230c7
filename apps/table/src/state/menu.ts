import type { Allergen } from '@comanda/ui/allergens.ts';
import type { LiveItem } from '@comanda/client';
import type { Ordering } from '@comanda/contracts/menu';
import { computed, effect, signal } from '@preact/signals';
import { matches } from '@comanda/ui/plain-text.ts';
import { readSetting, writeSetting } from '@comanda/ui/stored-setting.ts';
import { client } from './client.ts';

export type Category = { name: string | null; dishes: LiveItem[] };

/** Null until it was read once. */
export const menu = signal<readonly LiveItem[] | null>(null);
export const menuFailure = signal<unknown>(null);
export const ordering = signal<Ordering>({ paused_until: null, reason: null, version: 0 });
export const search = signal('');
export const avoided = signal<readonly Allergen[]>(
  (readSetting('avoided')?.split(',').filter(Boolean) ?? []) as Allergen[],
);

export const dishById = computed(() => new Map((menu.value ?? []).map((dish) => [dish.id, dish])));
export const isSoldOut = ({ available, portions_left: left }: LiveItem): boolean => !available || left === 0;

/** The kitchen states no allergens of it: it may contain what the guest cannot eat. */
export const isUnstated = ({ allergens }: LiveItem): boolean => avoided.value.length > 0 && allergens.length === 0;
const isEaten = ({ allergens }: LiveItem): boolean => !allergens.some((each) => avoided.value.includes(each));

const isFound = ({ name, description, category }: LiveItem): boolean =>
  matches(`${name} ${description} ${category ?? ''}`, search.value);
const found = computed(() => (menu.value ?? []).filter(isFound));
export const hiddenCount = computed(() => found.value.filter((dish) => !isEaten(dish)).length);
/** Whether guests' orders are refused now. It ends by itself. */
export const isPaused = signal(false);
effect(() => {
  const { paused_until: until } = ordering.value;
  const leftMs = until === null ? 0 : Date.parse(until) - client.now();
  isPaused.value = leftMs > 0;
  const timer = setTimeout(() => (isPaused.value = false), Math.min(leftMs, 2 ** 31 - 1));
  return () => clearTimeout(timer);
});
/** What is shown: by category, in the order of the menu. */
export const categories = computed<Category[]>(() => {
  const shown = found.value.filter(isEaten).toSorted((a, b) => a.position - b.position);
  return [...Map.groupBy(shown, ({ category }) => category)].map(([name, dishes]) => ({ name, dishes }));
});

export function avoid(allergens: readonly Allergen[]): void {
  avoided.value = allergens;
  writeSetting('avoided', allergens.length === 0 ? null : allergens.join());
}

/** Events and reads overtake each other: the highest version counts. */
function applyOrdering(next: Ordering): void {
  if (next.version >= ordering.value.version) ordering.value = next;
}
export async function readOrdering(): Promise<void> {
  try {
    applyOrdering(await client.calls.getOrdering());
  } catch {
    // The server refuses an order while it is paused, with the same words.
  }
}

export function followMenu(): void {
  const live = client.liveMenu({
    onChange: (all) => {
      // The list is empty for a moment when the session changes.
      if (all.length > 0 || live.isComplete()) menu.value = all;
      if (menu.value) menuFailure.value = null;
    },
    onEvent: (event) => {
      if (event.type === 'ordering.changed') applyOrdering(event.data);
    },
  });
  void readFirst();
  void readOrdering();
}

/** The live list repeats a read that failed without a word: the first one is made here too, for the words. */
async function readFirst(): Promise<void> {
  try {
    const dishes = await client.calls.listMenu();
    menu.value ??= dishes;
    menuFailure.value = null;
  } catch (error) {
    menuFailure.value = error;
  }
}
export const readMenuAgain = (): void => {
  menuFailure.value = null;
  void readFirst();
};
