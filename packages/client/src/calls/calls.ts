// Generated from the contracts by `npm run docs`. Do not edit.
import type * as accounts from '@comanda/contracts/accounts';
import type * as apiDocs from '@comanda/contracts/api-docs';
import type * as audit from '@comanda/contracts/audit';
import type * as billPayments from '@comanda/contracts/bill-payments';
import type * as bills from '@comanda/contracts/bills';
import type * as calls from '@comanda/contracts/calls';
import type * as cashDrawers from '@comanda/contracts/cash-drawers';
import type * as covers from '@comanda/contracts/covers';
import type * as day from '@comanda/contracts/day';
import type * as exceptions from '@comanda/contracts/exceptions';
import type * as keys from '@comanda/contracts/keys';
import type * as menu from '@comanda/contracts/menu';
import type * as menuChanges from '@comanda/contracts/menu-changes';
import type * as menuPictures from '@comanda/contracts/menu-pictures';
import type * as optionGroups from '@comanda/contracts/option-groups';
import type * as orderItems from '@comanda/contracts/order-items';
import type * as ordering from '@comanda/contracts/ordering';
import type * as orders from '@comanda/contracts/orders';
import type * as pin from '@comanda/contracts/pin';
import type * as pix from '@comanda/contracts/pix';
import type * as reports from '@comanda/contracts/reports';
import type * as restaurant from '@comanda/contracts/restaurant';
import type * as restaurantChanges from '@comanda/contracts/restaurant-changes';
import type * as screens from '@comanda/contracts/screens';
import type * as sessions from '@comanda/contracts/sessions';
import type * as setup from '@comanda/contracts/setup';
import type * as stations from '@comanda/contracts/stations';
import type * as stepUp from '@comanda/contracts/step-up';
import type * as stops from '@comanda/contracts/stops';
import type * as tables from '@comanda/contracts/tables';
import type * as tablets from '@comanda/contracts/tablets';
import type * as transfers from '@comanda/contracts/transfers';
import type * as users from '@comanda/contracts/users';
import type { Route } from './route.ts';

/** The contract of each call, as a type. */
export type Calls = {
  /** Register as a customer. */
  register: typeof sessions.registerUser;
  /** Sign in. */
  login: typeof sessions.login;
  /** Start a guest session at the table whose QR code was scanned. */
  beGuest: typeof sessions.startGuestSession;
  /** Exchange a refresh token for a new pair of tokens. */
  refresh: typeof sessions.refresh;
  /** Sit down at the table whose QR code was scanned, with your own account. */
  takeSeat: typeof sessions.takeSeat;
  /** Sign out: end the session of a refresh token. */
  logout: typeof sessions.logout;
  /** Get the current user. */
  me: typeof sessions.me;
  /** Change your password and end your other sessions. */
  changePassword: typeof sessions.changePassword;
  /** Sign out everywhere: end all your sessions and refresh tokens. */
  endSessions: typeof sessions.endSessions;
  /** List your sessions: where you are signed in, the one that was used last first. */
  listSessions: typeof sessions.listSessions;
  /** End one of your sessions. */
  endOneSession: typeof sessions.endOneSession;
  /** Add a user, who must change the given password at the first sign-in. */
  createUser: typeof users.createUser;
  /** Invite a user to the staff, who chooses a password through a link. */
  inviteUser: typeof users.inviteUser;
  /** Withdraw the invitation of a user: its link stops working. */
  withdrawInvitation: typeof users.withdrawInvitation;
  /** Get whom an invitation is for. */
  readInvitation: typeof users.readInvitation;
  /** Accept an invitation with a password of your own. */
  acceptInvitation: typeof users.acceptInvitation;
  /** List users, newest first. */
  listUsers: typeof users.listUsers;
  /** Get one user. */
  getUser: typeof users.getUser;
  /** Change another user's role, status or password and end their sessions. */
  updateUser: typeof users.updateUser;
  /** Get whether the restaurant still needs its first manager. */
  getSetup: typeof setup.getSetup;
  /** Create the first manager of a new restaurant, and sign in. */
  createFirstManager: typeof setup.createFirstManager;
  /** List the tables with the content of their QR codes and their current seating. */
  listTables: typeof tables.listTables;
  /** Add a table, or replace the code of an existing one. */
  putTable: typeof tables.putTable;
  /** Add several tables, such as 1 to 12. */
  addTables: typeof tables.addTables;
  /** Remove a table and its code, and close its seating. */
  deleteTable: typeof tables.deleteTable;
  /** Open a table: start its seating, which guests join by scanning the code. */
  openTable: typeof tables.openTable;
  /** Close a table: end its seating and sign its guests out. */
  closeTable: typeof tables.closeTable;
  /** Report that a table is clean. */
  cleanTable: typeof tables.cleanTable;
  /** Move the guests of a table to another table. */
  moveTable: typeof tables.moveTable;
  /** Join a table with another table: both then share its seating. */
  joinTables: typeof tables.joinTables;
  /** Get the public keys that verify tokens and receipts [RFC 7517]. */
  jwks: typeof keys.getJwks;
  /** Register a shared tablet, on which waiters sign in with a short PIN. */
  registerTablet: typeof tablets.registerTablet;
  /** List the registered tablets, and who used each last. */
  listTablets: typeof tablets.listTablets;
  /** Remove a tablet: its credential stops working, and all sessions on it end. */
  revokeTablet: typeof tablets.revokeTablet;
  /** List on a registered tablet who may sign in there. */
  readTablet: typeof tablets.readTablet;
  /** Sign in on a registered tablet with your tablet PIN. */
  signInOnTablet: typeof tablets.signInOnTablet;
  /** Set your tablet PIN, with which you sign in on registered tablets. */
  setTabletPin: typeof tablets.setTabletPin;
  /** Get what the restaurant has stopped: transfers, sign-ups. */
  getStops: typeof stops.getStops;
  /** Stop transfers or sign-ups for all users, or resume them. */
  putStop: typeof stops.putStop;
  /** List the menu. */
  listMenu: typeof menu.listMenu;
  /** Get one dish. */
  getMenuItem: typeof menu.getMenuItem;
  /** Add a dish. */
  createMenuItem: typeof menu.createMenuItem;
  /** Change a dish; omitted fields keep their values. */
  updateMenuItem: typeof menu.updateMenuItem;
  /** Add and change many dishes at once: all of them or none. */
  importMenu: typeof menu.importMenu;
  /** Remove a dish from the menu; existing orders keep it. */
  deleteMenuItem: typeof menu.deleteMenuItem;
  /** Mark a dish as available or sold out, or set how many portions are left; omitted fields keep their values. */
  setAvailability: typeof menu.setAvailability;
  /** List the option groups. */
  listOptionGroups: typeof optionGroups.listOptionGroups;
  /** Get one option group. */
  getOptionGroup: typeof optionGroups.getOptionGroup;
  /** Add an option group. */
  createOptionGroup: typeof optionGroups.createOptionGroup;
  /** Change an option group; omitted fields keep their values. */
  updateOptionGroup: typeof optionGroups.updateOptionGroup;
  /** Remove an option group that no dish and no other group uses; existing orders keep it. */
  deleteOptionGroup: typeof optionGroups.deleteOptionGroup;
  /** Mark an option as available or sold out, in all dishes that have it. */
  setOptionAvailability: typeof optionGroups.setOptionAvailability;
  /** Get whether the restaurant accepts orders. */
  getOrdering: typeof ordering.getOrdering;
  /** Pause customers' orders until a given time; an empty object resumes them. */
  putOrdering: typeof ordering.putOrdering;
  /** List the changes of dishes, option groups and the ordering pause, newest first. */
  listMenuChanges: typeof menuChanges.listMenuChanges;
  /** Upload a picture of a dish, or the logo. */
  addMenuPicture: typeof menuPictures.addMenuPicture;
  /** Get the restaurant's settings. */
  getRestaurant: typeof restaurant.getRestaurant;
  /** Change the restaurant's settings; omitted fields keep their values. */
  putRestaurant: typeof restaurant.putRestaurant;
  /** Get the guests' Wi-Fi, for printed codes. */
  getWifi: typeof restaurant.getWifi;
  /** List the changes of the restaurant's settings, newest first. */
  listRestaurantChanges: typeof restaurantChanges.listRestaurantChanges;
  /** Place an order. */
  placeOrder: typeof orders.placeOrder;
  /** Get one order. */
  getOrder: typeof orders.getOrder;
  /** List orders: customers see their own, guests those of their seating, staff all. */
  listOrders: typeof orders.listOrders;
  /** Change the status of an order; customers may only cancel their own while it is `received`. */
  updateOrder: typeof orders.updateOrder;
  /** Change the status of one item; the status of the order follows its items. */
  updateOrderItem: typeof orders.updateOrderItem;
  /** Move an order to another table. */
  moveOrder: typeof orders.moveOrder;
  /** Report that a screen has shown these orders; only the first report of each station counts. */
  markSeen: typeof orders.markSeen;
  /** Acknowledge the allergies of an order; only the first time of each station counts. */
  markAllergiesRead: typeof orders.markAllergiesRead;
  /** List the changes of an order, oldest first. */
  getOrderHistory: typeof orders.getOrderHistory;
  /** Move items of an order, or a part of their quantity, to another table with their lines of the bill. */
  moveItems: typeof orderItems.moveItems;
  /** Have the kitchen prepare an item again, free of charge. */
  remakeItem: typeof orderItems.remakeItem;
  /** List bills, newest first: guests see those of their seating and of their own orders, staff all. */
  listBills: typeof bills.listBills;
  /** Get one bill. */
  getBill: typeof bills.getBill;
  /** List the changes of a bill, oldest first. */
  getBillHistory: typeof bills.getBillHistory;
  /** Discount one line or the whole bill. */
  giveDiscount: typeof bills.giveDiscount;
  /** Remove a discount. */
  takeDiscountAway: typeof bills.takeDiscountAway;
  /** Include or decline the service charge. */
  setServiceCharge: typeof bills.setServiceCharge;
  /** Move the bill to another table, with its orders that are not delivered. */
  setBillTable: typeof bills.setBillTable;
  /** Merge this bill into another one, which takes over its lines and their discounts. */
  mergeBill: typeof bills.mergeBill;
  /** Close a paid bill, which gives it its number. */
  closeBill: typeof bills.closeBill;
  /** Reopen a closed bill, unless its seating has a newer bill, its day is closed or its orders are archived. */
  reopenBill: typeof bills.reopenBill;
  /** Record a payment, or reserve what you pay from your account or by Pix: the rest, equal shares, an amount, or lines. */
  payBill: typeof billPayments.payBill;
  /** Get one payment of a bill. */
  getBillPayment: typeof billPayments.getBillPayment;
  /** Cancel a reserved payment by account or Pix: its payer, or staff. */
  cancelBillPayment: typeof billPayments.cancelBillPayment;
  /** Refund a payment in full, with its tip. */
  refundBillPayment: typeof billPayments.refundBillPayment;
  /** Enter the number of guests on a bill. */
  setCovers: typeof covers.setCovers;
  /** List what was removed from bills or refunded, newest first. */
  listExceptions: typeof exceptions.listExceptions;
  /** List the cash drawers, sorted by name. */
  listCashDrawers: typeof cashDrawers.listCashDrawers;
  /** Add a cash drawer, rename it, retire it or bring it back. */
  putCashDrawer: typeof cashDrawers.putCashDrawer;
  /** List the movements entered by hand since the last count, newest first. */
  listMovements: typeof cashDrawers.listMovements;
  /** List the counts of a cash drawer, newest first. */
  listCounts: typeof cashDrawers.listCounts;
  /** Enter cash that moved in or out of a cash drawer, or reverse such a movement. */
  addMovement: typeof cashDrawers.addMovement;
  /** Count a cash drawer without knowing what should be in it. */
  countCashDrawer: typeof cashDrawers.countCashDrawer;
  /** Get the running day: what must be done before it can be closed. */
  getDay: typeof day.getDay;
  /** Close the running day with your PIN, which seals all days before it. */
  closeDay: typeof day.closeDay;
  /** List the reports of closed days, newest first. */
  listDays: typeof day.listDays;
  /** Get the report of a closed day, always with the same bytes. */
  getDayReport: typeof day.getDayReport;
  /** Get the figures of the running day, or of a closed day by its number. */
  getDayFigures: typeof reports.getDayFigures;
  /** Get a report of closed days, as JSON or as CSV [RFC 4180]. */
  getReport: typeof reports.getReport;
  /** Call a waiter to a table, or ask for its bill. */
  call: typeof calls.placeCall;
  /** List open and taken calls, oldest first: guests see those of their seating, staff all. */
  listCalls: typeof calls.listCalls;
  /** Take a call, release it or finish it; guests cancel it. */
  updateCall: typeof calls.updateCall;
  /** List how the stations of the kitchen work. */
  listStations: typeof stations.listStations;
  /** Set how a station works: what a bump does, and when its tickets and dishes are late. */
  setStation: typeof stations.setStation;
  /** Set how a station works if its name has only letters A to Z, digits and `.`, `_`, `~`, `-`. */
  putStation: typeof stations.putStation;
  /** Report that a kitchen screen is on, and its state. */
  reportScreen: typeof screens.reportScreen;
  /** List the screens of the last day, by last report, newest first. */
  listScreens: typeof screens.listScreens;
  /** Get the OpenAPI 3.1 document of all API calls. */
  getOpenApi: typeof apiDocs.getOpenApi;
  /** Get the AsyncAPI 3.0 document of all events and the live feed. */
  getAsyncApi: typeof apiDocs.getAsyncApi;
  /** Explain a problem and what to do about it; the `type` of a problem is this path. */
  getProblem: typeof apiDocs.getProblem;
  /** Open an account for yourself. */
  openAccount: typeof accounts.openAccount;
  /** List your accounts; managers see all, including the restaurant's cash accounts. */
  listAccounts: typeof accounts.listAccounts;
  /** Get one account. */
  getAccount: typeof accounts.getAccount;
  /** Get the owner of an account, to show before the PIN for a transfer is entered. */
  getPayee: typeof accounts.getPayee;
  /** List the entries of an account. */
  listEntries: typeof accounts.listEntries;
  /** Deposit cash: a transfer from the restaurant's cash account in the account's currency. */
  deposit: typeof transfers.deposit;
  /** Transfer money from your account to any other account. */
  transferMoney: typeof transfers.transferMoney;
  /** Get one transfer of any kind; only for its parties and managers. */
  getTransfer: typeof transfers.getTransfer;
  /** Pay a reserved payment of a bill from your account. */
  payBillFromAccount: typeof transfers.payBillFromAccount;
  /** Refund a payment by account in full to the payer's account, with its tip. */
  refundBillPaymentToAccount: typeof transfers.refundBillPaymentToAccount;
  /** Get how the restaurant takes Pix. */
  getPix: typeof pix.getPix;
  /** Get the Pix code for a reserved payment: whoever can read its bill. */
  createPixCharge: typeof pix.createPixCharge;
  /** Get the Pix code that a payment already has: whoever can read its bill. */
  getPixCharge: typeof pix.getPixCharge;
  /** Confirm that a Pix is in the bank's app. */
  confirmPixCharge: typeof pix.confirmPixCharge;
  /** List the Pix that the bank has received, newest first. */
  listPixReceipts: typeof pix.listPixReceipts;
  /** Get one Pix that the bank has received. */
  getPixReceipt: typeof pix.getPixReceipt;
  /** Refund a Pix in full to its payer, whether or not it pays a bill. */
  refundPix: typeof pix.refundPix;
  /** Assign an unmatched Pix to a payment by Pix of the same total. */
  assignPix: typeof pix.assignPix;
  /** Dismiss an unmatched Pix that belongs to no bill. */
  dismissPix: typeof pix.dismissPix;
  /** Receive the bank's hint that a Pix may have arrived. */
  pixHint: typeof pix.pixHint;
  /** The same call under the address to which banks append `/pix`. */
  pixHintOfPix: typeof pix.pixHintOfPix;
  /** Create your PIN; requires a sign-in within the last 15 minutes. */
  createTransactionPassword: typeof pin.createPin;
  /** Get whether you have a PIN and whether it is blocked. */
  transactionPassword: typeof pin.getPinState;
  /** Change your PIN and revoke your unused step-up tokens. */
  changeTransactionPassword: typeof pin.changePin;
  /** Approve that another user sets a new PIN within 15 minutes. */
  approveTransactionPasswordReset: typeof pin.approvePinReset;
  /** Set a new PIN after a manager has approved the reset; also ends a block. */
  resetTransactionPassword: typeof pin.resetPin;
  /** Exchange your PIN for a step-up token, valid for one call of one endpoint. */
  stepUp: typeof stepUp.stepUp;
  /** List the security events of your PIN, tokens and sign-ins, newest first. */
  securityEvents: typeof audit.securityEvents;
  /** List the changes of managers and operators to users, tables, tablets and keys, and their stops, newest first. */
  auditTrail: typeof audit.auditTrail;
};

/** Where each call goes. */
export const routes: { readonly [N in keyof Calls]: Route } = {
  register: { endpoint: 'POST /auth/register', isPublic: true, sends: 'body' },
  login: { endpoint: 'POST /auth/login', isPublic: true, sends: 'body' },
  beGuest: { endpoint: 'POST /auth/guest', isPublic: true, sends: 'body' },
  refresh: { endpoint: 'POST /auth/refresh', isPublic: true, sends: 'body' },
  takeSeat: { endpoint: 'POST /auth/seat', isPublic: true, sends: 'body' },
  logout: { endpoint: 'POST /auth/logout', isPublic: true, sends: 'body', responses: 204 },
  me: { endpoint: 'GET /auth/me' },
  changePassword: { endpoint: 'PUT /auth/password', sends: 'body', responses: 204 },
  endSessions: { endpoint: 'DELETE /auth/sessions', responses: 204 },
  listSessions: { endpoint: 'GET /auth/sessions' },
  endOneSession: { endpoint: 'DELETE /auth/sessions/{id}', responses: 204 },
  createUser: { endpoint: 'POST /users', sends: 'body', stepUp: 'required' },
  inviteUser: { endpoint: 'POST /invitations', sends: 'body', stepUp: 'required' },
  withdrawInvitation: { endpoint: 'DELETE /invitations/{id}', responses: 204 },
  readInvitation: { endpoint: 'POST /auth/invitation', isPublic: true, sends: 'body' },
  acceptInvitation: { endpoint: 'POST /auth/invitation/acceptance', isPublic: true, sends: 'body' },
  listUsers: { endpoint: 'GET /users' },
  getUser: { endpoint: 'GET /users/{id}' },
  updateUser: { endpoint: 'PUT /users/{id}', sends: 'body', stepUp: 'required' },
  getSetup: { endpoint: 'GET /setup', isPublic: true },
  createFirstManager: { endpoint: 'POST /setup/manager', isPublic: true, sends: 'body' },
  listTables: { endpoint: 'GET /tables' },
  putTable: { endpoint: 'PUT /tables/{table}', row: 'tables' },
  addTables: { endpoint: 'POST /tables', sends: 'body' },
  deleteTable: { endpoint: 'DELETE /tables/{table}', responses: 204 },
  openTable: { endpoint: 'POST /tables/{table}/open', row: 'tables' },
  closeTable: { endpoint: 'POST /tables/{table}/close', responses: 204 },
  cleanTable: { endpoint: 'POST /tables/{table}/clean', row: 'tables' },
  moveTable: { endpoint: 'POST /tables/{table}/move', sends: 'body', row: 'tables' },
  joinTables: { endpoint: 'POST /tables/{table}/join', sends: 'body', row: 'tables' },
  jwks: { endpoint: 'GET /.well-known/jwks.json', isPublic: true },
  registerTablet: { endpoint: 'POST /tablets', sends: 'body', stepUp: 'required' },
  listTablets: { endpoint: 'GET /tablets' },
  revokeTablet: { endpoint: 'DELETE /tablets/{id}', responses: 204 },
  readTablet: { endpoint: 'POST /auth/tablet', isPublic: true, sends: 'body' },
  signInOnTablet: { endpoint: 'POST /auth/tablet/login', isPublic: true, sends: 'body' },
  setTabletPin: { endpoint: 'PUT /auth/tablet-pin', sends: 'body', responses: 204 },
  getStops: { endpoint: 'GET /stops', isPublic: true, row: 'stops' },
  putStop: { endpoint: 'PUT /stops/{name}', sends: 'body', row: 'stops', stepUp: 'required' },
  listMenu: { endpoint: 'GET /menu', isPublic: true },
  getMenuItem: { endpoint: 'GET /menu/{id}', isPublic: true, row: 'menu' },
  createMenuItem: { endpoint: 'POST /menu', sends: 'body', row: 'menu', stepUp: 'required' },
  updateMenuItem: { endpoint: 'PUT /menu/{id}', sends: 'body', row: 'menu', stepUp: 'required' },
  importMenu: { endpoint: 'PUT /menu/import', sends: 'body', stepUp: 'required' },
  deleteMenuItem: { endpoint: 'DELETE /menu/{id}', responses: 204 },
  setAvailability: { endpoint: 'PUT /menu/{id}/availability', sends: 'body', row: 'menu' },
  listOptionGroups: { endpoint: 'GET /option-groups', isPublic: true },
  getOptionGroup: { endpoint: 'GET /option-groups/{id}', isPublic: true, row: 'option_groups' },
  createOptionGroup: { endpoint: 'POST /option-groups', sends: 'body', row: 'option_groups', stepUp: 'required' },
  updateOptionGroup: { endpoint: 'PUT /option-groups/{id}', sends: 'body', row: 'option_groups', stepUp: 'required' },
  deleteOptionGroup: { endpoint: 'DELETE /option-groups/{id}', responses: 204 },
  setOptionAvailability: {
    endpoint: 'PUT /option-groups/{id}/options/{option_id}/availability',
    sends: 'body',
    row: 'option_groups',
  },
  getOrdering: { endpoint: 'GET /ordering', isPublic: true, row: 'ordering' },
  putOrdering: { endpoint: 'PUT /ordering', sends: 'body', row: 'ordering' },
  listMenuChanges: { endpoint: 'GET /menu-changes' },
  addMenuPicture: { endpoint: 'POST /menu-pictures', sends: 'file' },
  getRestaurant: { endpoint: 'GET /restaurant', isPublic: true, row: 'restaurant' },
  putRestaurant: { endpoint: 'PUT /restaurant', sends: 'body', row: 'restaurant' },
  getWifi: { endpoint: 'GET /restaurant/wifi' },
  listRestaurantChanges: { endpoint: 'GET /restaurant-changes' },
  placeOrder: { endpoint: 'POST /orders', sends: 'body', row: 'orders', idempotencyKey: 'accepted' },
  getOrder: { endpoint: 'GET /orders/{id}', row: 'orders' },
  listOrders: { endpoint: 'GET /orders' },
  updateOrder: { endpoint: 'PUT /orders/{id}', sends: 'body', row: 'orders' },
  updateOrderItem: { endpoint: 'PUT /orders/{id}/items/{item_id}', sends: 'body', row: 'orders' },
  moveOrder: { endpoint: 'PUT /orders/{id}/table', sends: 'body', row: 'orders' },
  markSeen: { endpoint: 'POST /orders/seen', sends: 'body', responses: 204 },
  markAllergiesRead: { endpoint: 'PUT /orders/{id}/allergies-read', sends: 'body', row: 'orders' },
  getOrderHistory: { endpoint: 'GET /orders/{id}/history' },
  moveItems: { endpoint: 'POST /orders/{id}/move-items', sends: 'body', row: 'orders', idempotencyKey: 'accepted' },
  remakeItem: {
    endpoint: 'POST /orders/{id}/items/{item_id}/remake',
    sends: 'body',
    row: 'orders',
    idempotencyKey: 'accepted',
  },
  listBills: { endpoint: 'GET /bills' },
  getBill: { endpoint: 'GET /bills/{id}', row: 'bills' },
  getBillHistory: { endpoint: 'GET /bills/{id}/history' },
  giveDiscount: { endpoint: 'POST /bills/{id}/discounts', sends: 'body', row: 'bills', idempotencyKey: 'accepted' },
  takeDiscountAway: { endpoint: 'DELETE /bills/{id}/discounts/{discount_id}', row: 'bills' },
  setServiceCharge: { endpoint: 'PUT /bills/{id}/service-charge', sends: 'body', row: 'bills' },
  setBillTable: { endpoint: 'PUT /bills/{id}/table', sends: 'body', row: 'bills' },
  mergeBill: { endpoint: 'POST /bills/{id}/merge', sends: 'body', row: 'bills' },
  closeBill: { endpoint: 'POST /bills/{id}/close', sends: 'body', row: 'bills' },
  reopenBill: { endpoint: 'POST /bills/{id}/reopen', sends: 'body', row: 'bills' },
  payBill: { endpoint: 'POST /bills/{id}/payments', sends: 'body', idempotencyKey: 'accepted' },
  getBillPayment: { endpoint: 'GET /bills/{id}/payments/{payment_id}' },
  cancelBillPayment: { endpoint: 'POST /bills/{id}/payments/{payment_id}/cancel', sends: 'body' },
  refundBillPayment: { endpoint: 'POST /bills/{id}/payments/{payment_id}/refund', sends: 'body' },
  setCovers: { endpoint: 'PUT /bills/{id}/covers', sends: 'body', row: 'bills' },
  listExceptions: { endpoint: 'GET /exceptions' },
  listCashDrawers: { endpoint: 'GET /cash-drawers' },
  putCashDrawer: { endpoint: 'PUT /cash-drawers/{name}', sends: 'body' },
  listMovements: { endpoint: 'GET /cash-drawers/{name}/movements' },
  listCounts: { endpoint: 'GET /cash-drawers/{name}/counts' },
  addMovement: { endpoint: 'POST /cash-drawers/{name}/movements', sends: 'body', idempotencyKey: 'accepted' },
  countCashDrawer: { endpoint: 'POST /cash-drawers/{name}/counts', sends: 'body', idempotencyKey: 'accepted' },
  getDay: { endpoint: 'GET /day' },
  closeDay: { endpoint: 'POST /day/close', sends: 'body', idempotencyKey: 'accepted', stepUp: 'required' },
  listDays: { endpoint: 'GET /days' },
  getDayReport: { endpoint: 'GET /days/{number}' },
  getDayFigures: { endpoint: 'GET /day/figures' },
  getReport: { endpoint: 'GET /reports/{report}' },
  call: { endpoint: 'POST /calls', sends: 'body', row: 'calls' },
  listCalls: { endpoint: 'GET /calls' },
  updateCall: { endpoint: 'PUT /calls/{id}', sends: 'body', row: 'calls' },
  listStations: { endpoint: 'GET /stations' },
  setStation: { endpoint: 'PUT /stations', sends: 'body', row: 'stations' },
  putStation: { endpoint: 'PUT /stations/{station}', sends: 'body', row: 'stations' },
  reportScreen: { endpoint: 'PUT /screens/{screen}', sends: 'body', responses: 204 },
  listScreens: { endpoint: 'GET /screens' },
  getOpenApi: { endpoint: 'GET /openapi.json', isPublic: true },
  getAsyncApi: { endpoint: 'GET /asyncapi.json', isPublic: true },
  getProblem: { endpoint: 'GET /problems/{code}', isPublic: true },
  openAccount: { endpoint: 'POST /accounts', sends: 'body', idempotencyKey: 'accepted' },
  listAccounts: { endpoint: 'GET /accounts' },
  getAccount: { endpoint: 'GET /accounts/{id}' },
  getPayee: { endpoint: 'GET /accounts/{id}/payee' },
  listEntries: { endpoint: 'GET /accounts/{id}/entries' },
  deposit: { endpoint: 'POST /accounts/{id}/deposits', sends: 'body', idempotencyKey: 'accepted', stepUp: 'required' },
  transferMoney: {
    endpoint: 'POST /accounts/internal-transfers',
    sends: 'body',
    idempotencyKey: 'accepted',
    stepUp: 'required',
  },
  getTransfer: { endpoint: 'GET /accounts/internal-transfers/{id}' },
  payBillFromAccount: {
    endpoint: 'POST /accounts/bill-payments',
    sends: 'body',
    idempotencyKey: 'accepted',
    stepUp: 'required',
  },
  refundBillPaymentToAccount: {
    endpoint: 'POST /accounts/bill-refunds',
    sends: 'body',
    idempotencyKey: 'accepted',
    stepUp: 'required',
  },
  getPix: { endpoint: 'GET /pix', isPublic: true },
  createPixCharge: { endpoint: 'POST /pix/charges', sends: 'body' },
  getPixCharge: { endpoint: 'GET /pix/charges/{payment_id}' },
  confirmPixCharge: { endpoint: 'POST /pix/charges/{payment_id}/confirm', sends: 'body' },
  listPixReceipts: { endpoint: 'GET /pix/receipts' },
  getPixReceipt: { endpoint: 'GET /pix/receipts/{e2e}' },
  refundPix: {
    endpoint: 'POST /pix/receipts/{e2e}/refunds',
    sends: 'body',
    idempotencyKey: 'accepted',
    stepUp: 'required',
  },
  assignPix: { endpoint: 'POST /pix/receipts/{e2e}/assign', sends: 'body' },
  dismissPix: { endpoint: 'POST /pix/receipts/{e2e}/dismiss', sends: 'body' },
  pixHint: { endpoint: 'POST /pix-hints', isPublic: true },
  pixHintOfPix: { endpoint: 'POST /pix-hints/pix', isPublic: true },
  createTransactionPassword: { endpoint: 'POST /security/transaction-password', sends: 'body' },
  transactionPassword: { endpoint: 'GET /security/transaction-password' },
  changeTransactionPassword: { endpoint: 'PUT /security/transaction-password', sends: 'body' },
  approveTransactionPasswordReset: {
    endpoint: 'POST /users/{id}/transaction-password-resets',
    idempotencyKey: 'accepted',
    stepUp: 'required',
  },
  resetTransactionPassword: { endpoint: 'POST /security/transaction-password/reset', sends: 'body' },
  stepUp: { endpoint: 'POST /security/step-up', sends: 'body' },
  securityEvents: { endpoint: 'GET /security/events' },
  auditTrail: { endpoint: 'GET /audit' },
};
