// One part of the app: once it is loaded, orders can be placed and followed without loading anything else.
export { DishPage } from './dish-page.tsx';
export { NotLiveNotice } from '../not-live-notice.tsx';
export { OrdersPage } from './orders-page.tsx';
export { ReviewPage } from './review-page.tsx';
