import { createMenuItem, listMenu } from '@comanda/shared/contracts/menu';
import type { Api } from '@comanda/shared/http/api';
import type { Message } from '@comanda/shared/messaging/publisher';
import type { HouseStore } from '../house/house-store.ts';
import { addDish } from './add-dish.ts';
import { inMenuOrder, toMenuItem } from './menu-item.ts';
import type { MenuStore } from './menu-store.ts';

type Needs = {
  menu: MenuStore;
  house: HouseStore;
  currency: string;
  onWritten: (dishId: number, messages: readonly Message[]) => void;
};

export function serveMenu({ handle }: Api, needs: Needs): void {
  handle(listMenu, async () => ({
    status: 200,
    body: (await needs.menu.all()).toSorted(inMenuOrder).map(toMenuItem),
  }));
  handle(createMenuItem, (call) => addDish(needs, call));
}
