import { computed, signal } from '@preact/signals';

/** The pages have hash routes: the server serves one page. */
export type Route = { page: 'menu' | 'review' | 'orders' | 'account' } | { page: 'dish'; id: number };

function parse(hash: string): Route {
  const [, page = '', id = ''] = hash.replace(/^#/, '').split('/');
  if (page === 'dish' && /^[0-9]+$/.test(id)) return { page, id: Number(id) };
  return { page: page === 'review' || page === 'orders' || page === 'account' ? page : 'menu' };
}

const hash = signal(location.hash);
/** Whether the page before this one is of this app, so that "back" returns to it. */
let depth = 0;
addEventListener('hashchange', () => {
  hash.value = location.hash;
});

export const route = computed<Route>(() => parse(hash.value));
export const hrefOf = (to: Route): string =>
  to.page === 'dish' ? `#/dish/${to.id}` : to.page === 'menu' ? '#/' : `#/${to.page}`;

/** Where the menu was left, to return to the same dish. */
let menuScroll = 0;
history.scrollRestoration = 'manual';
export const scrollOf = (page: Route['page']): number => (page === 'menu' ? menuScroll : 0);

export function navigate(to: Route): void {
  if (route.peek().page === 'menu') menuScroll = scrollY;
  depth++;
  location.hash = hrefOf(to);
}
/** Replaces the current page, so that "back" does not return to it. */
export function replaceRoute(to: Route): void {
  history.replaceState(null, '', hrefOf(to));
  hash.value = location.hash;
}
/** To the menu: back if it was the page before, with its scroll position. */
export function backToMenu(): void {
  if (depth > 0) {
    depth--;
    history.back();
  } else replaceRoute({ page: 'menu' });
}
