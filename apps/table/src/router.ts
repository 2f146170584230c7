import { computed, signal } from '@preact/signals';

type AccountPart = 'transfer' | 'pin' | 'security' | 'receipt';
/** The pages have hash routes: the server serves one page. */
export type Route =
  | { page: 'menu' | 'review' | 'orders' | 'bill' }
  | { page: 'pay'; /** From an account. */ part?: 'pin' }
  | { page: 'account'; part?: AccountPart; /** Of the transfer, for its receipt. */ id?: number }
  | { page: 'dish'; id: number };

function parse(hash: string): Route {
  const [, page = '', part = '', id = ''] = hash.replace(/^#/, '').split('/');
  if (page === 'dish' && /^[0-9]+$/.test(part)) return { page, id: Number(part) };
  if (page === 'account') return parseAccountPart(part, id);
  if (page === 'pay') return part === 'pin' ? { page, part } : { page };
  return { page: isPlain(page) ? page : 'menu' };
}
const isPlain = (page: string): page is 'review' | 'orders' | 'bill' => ['review', 'orders', 'bill'].includes(page);
function parseAccountPart(part: string, id: string): Route {
  if (part === 'receipt' && /^[0-9]+$/.test(id)) return { page: 'account', part, id: Number(id) };
  return part === 'transfer' || part === 'pin' || part === 'security' ? { page: 'account', part } : { page: 'account' };
}
export function hrefOf(to: Route): string {
  if (to.page === 'menu') return '#/';
  const part = to.page === 'account' || to.page === 'pay' ? to.part : undefined;
  const id = 'id' in to ? to.id : undefined;
  return ['#', to.page, part, id].filter((each) => each !== undefined).join('/');
}

export type Router = ReturnType<typeof openRouter>;

/** Which page is shown, and the ways to another one. */
export function openRouter() {
  const hash = signal(location.hash);
  const route = computed<Route>(() => parse(hash.value));
  /** Whether the page before this one is of this app, so that "back" returns to it. */
  let depth = 0;
  /** Where the menu was left, to return to the same dish. */
  let menuScroll = 0;
  const onHashChange = (): void => {
    hash.value = location.hash;
  };
  addEventListener('hashchange', onHashChange);
  history.scrollRestoration = 'manual';

  function navigate(to: Route): void {
    if (route.peek().page === 'menu') menuScroll = scrollY;
    depth++;
    location.hash = hrefOf(to);
  }
  /** Replaces the current page, so that "back" does not return to it. */
  function replace(to: Route): void {
    history.replaceState(null, '', hrefOf(to));
    hash.value = location.hash;
  }
  /** To the page before this one, or to `otherwise` if that was not of this app. */
  function goBack(otherwise: Route): void {
    if (depth > 0) {
      depth--;
      history.back();
    } else replace(otherwise);
  }
  /** To the menu: back if it was the page before, with its scroll position. */
  const backToMenu = (): void => goBack({ page: 'menu' });
  /** To the menu's first dishes. */
  function backToMenuTop(): void {
    menuScroll = 0;
    backToMenu();
  }
  return {
    route,
    scrollOf: (page: Route['page']): number => (page === 'menu' ? menuScroll : 0),
    navigate,
    replace,
    goBack,
    backToMenu,
    backToMenuTop,
    close: () => removeEventListener('hashchange', onHashChange),
  };
}
