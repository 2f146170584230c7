// One part of the app, which is loaded once something was ordered.
export { BillPage } from './bill-page.tsx';
export { openBills } from './bills.ts';
export { PayPage } from './pay-page.tsx';
