import type { MenuValues, MenuChangeType } from '@comanda/contracts/menu';
import type { Caller } from '@comanda/shared/http/token-verifier';
import type { Actor } from '../actor.ts';

/** What somebody has changed about the menu or about ordering: only values that differ. */
export type MenuChange = {
  at: Date;
  actor: Actor;
  type: MenuChangeType;
  /** Null if it is no change of a dish. */
  dish: { id: number; name: string } | null;
  before: MenuValues;
  after: MenuValues;
};

export const actorOf = ({ userId: id, name, role }: Caller): Actor => ({ id, name, role });
