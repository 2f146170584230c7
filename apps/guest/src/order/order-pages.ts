// The part of the app for ordering, which is loaded after the menu. Guests can then place and follow orders without loading any
// other script.
export { AllergenDialog } from '../menu/allergen-dialog.tsx';
export { KnownMenuNotice } from '../menu/known-menu-notice.tsx';
export { NothingToShow } from '../menu/nothing-to-show.tsx';
export { BillLink } from './bill-link.tsx';
export { CallBar } from '../call/call-bar.tsx';
export { DishPage } from './dish-page.tsx';
export { NotLiveNotice } from '../not-live-notice.tsx';
export { openOrderSession } from './order-session.ts';
export { OrderSlip } from './order-slip.tsx';
export { OrdersPage } from './orders-page.tsx';
export { ProgressLink } from './progress-link.tsx';
export { ReviewPage } from './review-page.tsx';
