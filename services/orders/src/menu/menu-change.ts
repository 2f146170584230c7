import type { MenuValues, MenuChangeType } from '@comanda/contracts/menu-changes';
import type { UnitOfWork } from '@comanda/shared/service/unit-of-work';
import type { Actor } from '../actor.ts';

/** A user's change to the menu or to the ordering pause. `before` and `after` contain only the values that changed. */
export type MenuChange = {
  at: Date;
  actor: Actor;
  type: MenuChangeType;
  /** The changed dish; null for a change to an option group or to ordering. */
  dish: { id: number; name: string } | null;
  /** The changed option group; null for other changes. */
  optionGroup: { id: number; name: string } | null;
  before: MenuValues;
  after: MenuValues;
};

/**
 * Writes dishes, option groups or the ordering pause with their events, and records the user and the change, in one transaction. Lock the
 * changed document first, for example `dish 7`, so that writes in this process don't conflict.
 */
export type RecordedWrites = UnitOfWork<MenuChange, 'menu' | 'optionGroups' | 'restaurant'>;
