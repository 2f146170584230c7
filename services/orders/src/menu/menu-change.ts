import type { MenuValues, MenuChangeType } from '@comanda/contracts/menu-changes';
import type { Caller } from '@comanda/shared/http/token-verifier';
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

export const actorOf = ({ userId: id, name, role }: Caller): Actor => ({ id, name, role });
