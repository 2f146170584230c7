import type { MenuValues, MenuChangeType } from '@comanda/contracts/menu-changes';
import type { UnitOfWork } from '@comanda/shared/service/unit-of-work';
import type { Actor } from '../actor.ts';

/** A user's change to the menu or to ordering, with only the values that differ. */
export type MenuChange = {
  at: Date;
  actor: Actor;
  type: MenuChangeType;
  /** The changed dish; null for a change to ordering. */
  dish: { id: number; name: string } | null;
  before: MenuValues;
  after: MenuValues;
};

/**
 * Writes dishes or the pause with their events, and records who changed what, in one transaction. Lock the changed document, for
 * example `dish 7`, so that writes of one process don't conflict.
 */
export type RecordedWrites = UnitOfWork<MenuChange, 'menu' | 'restaurant'>;
