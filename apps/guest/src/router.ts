import { computed, signal } from '@preact/signals';

/** `pin` pays from an account, with the PIN. */
type PayPart = 'pin' | 'pix';
type AccountPart = 'transfer' | 'pin' | 'security' | 'receipt';
/** A page of the app. Its address is in the hash, because the server has only one HTML page. */
export type Route =
  | { page: 'menu' | 'review' | 'orders' | 'bill' }
  | { page: 'pay'; part?: PayPart; /** The payment's id, for the Pix code of any guest. */ id?: number }
  | { page: 'account'; part?: AccountPart; /** The transfer's id, for its receipt. */ id?: number }
  | { page: 'dish'; id: number; /** The basket's line to change; absent to add the dish. */ line?: number };

function parse(hash: string): Route {
  const [, page = '', part = '', id = ''] = hash.replace(/^#/, '').split('/');
  if (page === 'dish' && /^[0-9]+$/.test(part))
    return { page, id: Number(part), ...(/^[0-9]+$/.test(id) && { line: Number(id) }) };
  if (page === 'account') return parseAccountPart(part, id);
  if (page === 'pay') return parsePayPart(part, id);
  return { page: isPlain(page) ? page : 'menu' };
}
const isPlain = (page: string): page is 'review' | 'orders' | 'bill' => ['review', 'orders', 'bill'].includes(page);
function parsePayPart(part: string, id: string): Route {
  if (part === 'pix' && /^[0-9]+$/.test(id)) return { page: 'pay', part, id: Number(id) };
  return part === 'pin' || part === 'pix' ? { page: 'pay', part } : { page: 'pay' };
}
function parseAccountPart(part: string, id: string): Route {
  if (part === 'receipt' && /^[0-9]+$/.test(id)) return { page: 'account', part, id: Number(id) };
  return part === 'transfer' || part === 'pin' || part === 'security' ? { page: 'account', part } : { page: 'account' };
}
export function hrefOf(to: Route): string {
  if (to.page === 'menu') return '#/';
  const part = to.page === 'account' || to.page === 'pay' ? to.part : undefined;
  const id = 'id' in to ? to.id : undefined;
  const line = 'line' in to ? to.line : undefined;
  return ['#', to.page, part, id, line].filter((each) => each !== undefined).join('/');
}

const addressNow = (): string => location.hash || hrefOf({ page: 'menu' });

/** The longest time that going back may take, in milliseconds. After that, `onNowhere` is called. */
const backTimeoutMs = 2_000;

/** Goes back in the browser's history, one call at a time, so that a second tap doesn't go further. */
function createWayBack() {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const arrived = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  return {
    arrived,
    /**
     * Goes back this many entries. `onNowhere` is called if the browser no longer has them: it then does nothing, without an
     * event.
     */
    go: (steps: number, onNowhere: () => void): void => {
      if (timer !== undefined) return;
      timer = setTimeout(() => {
        arrived();
        onNowhere();
      }, backTimeoutMs);
      history.go(-steps);
    },
  };
}

/** The data that the browser stores with each history entry: the addresses of this app's pages before it, for going back. */
type Kept = { before: readonly string[] };

export type Router = ReturnType<typeof openRouter>;

/** The current page, and functions that open others. */
export function openRouter() {
  const hash = signal(location.hash);
  const route = computed<Route>(() => parse(hash.value));
  const keptNow = (): Kept | null => history.state as Kept | null;
  /** The current page's address, and the addresses of the pages before it. */
  let here = { address: addressNow(), before: keptNow()?.before ?? [] };
  /** The menu's scroll position in pixels, so that the guest returns to the same dish. */
  let menuScroll = 0;
  /** Adds the current page to the stored addresses, after `navigate` or a link has opened it. */
  function keepNew(): void {
    here = { address: addressNow(), before: [...here.before, here.address] };
    history.replaceState({ before: here.before } satisfies Kept, '');
  }
  const wayBack = createWayBack();
  /** When the address stays the same between two history entries, `popstate` is the only event. */
  const onPopState = (): void => {
    wayBack.arrived();
    const kept = keptNow();
    if (kept) here = { address: addressNow(), before: kept.before };
  };
  const onHashChange = (): void => {
    if (route.peek().page === 'menu') menuScroll = scrollY;
    if (!keptNow()) keepNew();
    hash.value = location.hash;
  };
  if (!keptNow()) history.replaceState({ before: [] } satisfies Kept, '');
  addEventListener('popstate', onPopState);
  addEventListener('hashchange', onHashChange);
  history.scrollRestoration = 'manual';

  function navigate(to: Route): void {
    if (location.hash === hrefOf(to)) return;
    location.hash = hrefOf(to);
    keepNew();
  }
  /** Replaces the current page, so that "back" doesn't return to it. */
  function replace(to: Route): void {
    history.replaceState(keptNow(), '', hrefOf(to));
    here = { ...here, address: hrefOf(to) };
    hash.value = location.hash;
  }
  /**
   * Goes to the previous page, or to `otherwise` if there is none in this app. A replaced page may be in the history twice, so
   * entries with this page's address are skipped.
   */
  function goBack(otherwise: Route): void {
    const isOther = (address: string): boolean => address !== here.address;
    goBackTo(here.before.map(isOther).lastIndexOf(true), otherwise);
  }
  function goBackTo(index: number, otherwise: Route): void {
    if (here.before[index] === undefined) replace(otherwise);
    else wayBack.go(here.before.length - index, () => replace(otherwise));
  }
  /** Returns to the menu at its scroll position, skipping all pages in between. */
  function backToMenu(): void {
    const menu: Route = { page: 'menu' };
    goBackTo(here.before.lastIndexOf(hrefOf(menu)), menu);
  }
  /** Returns to the top of the menu. */
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
    close: (): void => {
      wayBack.arrived();
      removeEventListener('popstate', onPopState);
      removeEventListener('hashchange', onHashChange);
    },
  };
}
