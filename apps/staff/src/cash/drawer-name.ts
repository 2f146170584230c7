import { countMessages } from './messages.ts';

/** The cash drawer that always exists. The contract's module would add a validation library. */
export const mainDrawer = 'main';

type Named = { name: string; label: string };
/** Returns a cash drawer's name for people. Until a manager has renamed it, that of `main` depends on the language. */
export const drawerName = ({ name, label }: Named): string =>
  name === mainDrawer && label === name ? countMessages().main : label;
/** Returns the name for people of one of these cash drawers. */
export function nameIn(drawers: readonly Named[], name: string): string {
  const found = drawers.find((each) => each.name === name) ?? { name, label: name };
  return drawerName(found);
}
