import type { LiveHandlers, LiveItem } from '@comanda/client';
import { expect, test } from '@jest/globals';
import { followWholeMenu } from './whole-menu.ts';

const [feijoada, caipirinha] = [{ station: 'kitchen' }, { station: 'bar' }] as LiveItem[] as [LiveItem, LiveItem];

test('the menu is told once it was read, and not the dish that an event brings before', () => {
  let handlers: Partial<LiveHandlers<'item'>> = {};
  let isRead = false;
  const liveMenu = (given: LiveHandlers<'item'>) => {
    handlers = given;
    return { isRead: () => isRead };
  };
  const told: string[][] = [];
  followWholeMenu({ liveMenu } as never, (dishes) => told.push(dishes.map(({ station }) => station)));

  handlers.onChange?.([caipirinha], [], 'server');
  isRead = true;
  handlers.onChange?.([feijoada, caipirinha], [], 'server');

  expect(told).toEqual([['kitchen', 'bar']]);
});
