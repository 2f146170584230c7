// The part of the app with the bill. It is loaded once something was ordered.
export { BillPage } from './bill-page.tsx';
export { openBills } from './bills.ts';
export { PayPages } from './pay-pages.tsx';
