// Made from the contracts by `npm run docs`; what you write here is overwritten.
import type * as apiDocs from '@comanda/contracts/api-docs';
import type * as menu from '@comanda/contracts/menu';
import type * as orders from '@comanda/contracts/orders';
import type * as security from '@comanda/contracts/security';
import type * as transfers from '@comanda/contracts/transfers';
import type * as users from '@comanda/contracts/users';
import type { Route } from './route.ts';

/** The contract of each call, as a type. */
export type Calls = {
  /** Become a customer with a sign-in of your own. */
  register: typeof users.registerUser;
  /** Sign in. */
  login: typeof users.login;
  /** Be a guest at the table whose QR code was scanned. */
  beGuest: typeof users.startGuestSession;
  /** Exchange a refresh token for a new pair. */
  refresh: typeof users.refresh;
  /** End the session that a refresh token belongs to. */
  logout: typeof users.logout;
  /** Who am I. */
  me: typeof users.me;
  /** Change your own password; every other session ends. */
  changePassword: typeof users.changePassword;
  /** End every session of yours; every refresh token dies. */
  endSessions: typeof users.endSessions;
  /** Add a user with a first password that must be changed. */
  createUser: typeof users.createUser;
  /** List users, newest first. */
  listUsers: typeof users.listUsers;
  /** Read one user. */
  getUser: typeof users.getUser;
  /** Change another user's role, status or password; their sessions end. */
  updateUser: typeof users.updateUser;
  /** List the tables, with what their QR codes hold and who sits there. */
  listTables: typeof users.listTables;
  /** Add a table, or rotate the token of one. */
  putTable: typeof users.putTable;
  /** Remove a table; its token dies and its seating ends. */
  deleteTable: typeof users.deleteTable;
  /** End the seating at a table; its guests are signed out. */
  closeTable: typeof users.closeTable;
  /** The public keys [RFC 7517]. */
  jwks: typeof users.getJwks;
  /** Read the menu. */
  listMenu: typeof menu.listMenu;
  /** Read one dish. */
  getMenuItem: typeof menu.getMenuItem;
  /** Add a dish. */
  createMenuItem: typeof menu.createMenuItem;
  /** Change a dish; keys that are not sent stay as they are. */
  updateMenuItem: typeof menu.updateMenuItem;
  /** Take a dish off the menu; orders still refer to it. */
  deleteMenuItem: typeof menu.deleteMenuItem;
  /** Mark a dish as sold out or to be had, and how many portions are left. */
  setAvailability: typeof menu.setAvailability;
  /** Does the house take orders. */
  getOrdering: typeof menu.getOrdering;
  /** Pause customers' orders until a time; `{}` resumes. */
  putOrdering: typeof menu.putOrdering;
  /** Place an order. */
  placeOrder: typeof orders.placeOrder;
  /** Read one order. */
  getOrder: typeof orders.getOrder;
  /** List orders: a customer's own, a guest's seating's, all for staff. */
  listOrders: typeof orders.listOrders;
  /** Move an order to another status; its owner may cancel it while it is received. */
  updateOrder: typeof orders.updateOrder;
  /** Move one item to another status; the order's status follows its items. */
  updateOrderItem: typeof orders.updateOrderItem;
  /** Move an order to another table. */
  moveOrder: typeof orders.moveOrder;
  /** Say that these orders have been painted on a screen; the first time counts. */
  markSeen: typeof orders.markSeen;
  /** Read what happened to an order, oldest first. */
  getOrderHistory: typeof orders.getOrderHistory;
  /** Every call, as OpenAPI 3.1. */
  getOpenApi: typeof apiDocs.getOpenApi;
  /** Every event and the live feed, as AsyncAPI 3.0. */
  getAsyncApi: typeof apiDocs.getAsyncApi;
  /** What a problem means, and what to do about it: where `type` leads. */
  getProblem: typeof apiDocs.getProblem;
  /** Open an account of your own. */
  openAccount: typeof transfers.openAccount;
  /** List your accounts; all, the house's cash included, for managers. */
  listAccounts: typeof transfers.listAccounts;
  /** Read one account. */
  getAccount: typeof transfers.getAccount;
  /** Read an account's statement. */
  listEntries: typeof transfers.listEntries;
  /** Deposit cash: a transfer from the house's cash account in that currency. */
  deposit: typeof transfers.deposit;
  /** Transfer money from an account of yours to any other account. */
  transferMoney: typeof transfers.transferMoney;
  /** Read one transfer or deposit, as one of its parties or a manager. */
  getTransfer: typeof transfers.getTransfer;
  /** Create your PIN; needs a sign-in of the last 15 minutes. */
  createTransactionPassword: typeof security.createPin;
  /** Whether you have a PIN, and whether it is blocked. */
  transactionPassword: typeof security.getPinState;
  /** Change your PIN; live step-up tokens die. */
  changeTransactionPassword: typeof security.changePin;
  /** Let another user set a new PIN within 15 minutes; you never see or set it. */
  approveTransactionPasswordReset: typeof security.approvePinReset;
  /** Set a new PIN after a manager has approved; lifts a block. */
  resetTransactionPassword: typeof security.resetPin;
  /** Exchange your PIN for a token that is good for one call of one endpoint. */
  stepUp: typeof security.stepUp;
  /** What happened to your PIN, tokens and sign-ins, newest first. */
  securityEvents: typeof security.securityEvents;
};

/** Where each call goes. */
export const routes: { readonly [N in keyof Calls]: Route } = {
  register: { at: 'POST /auth/register', takes: 'body' },
  login: { at: 'POST /auth/login', takes: 'body' },
  beGuest: { at: 'POST /auth/guest', takes: 'body' },
  refresh: { at: 'POST /auth/refresh', takes: 'body' },
  logout: { at: 'POST /auth/logout', takes: 'body' },
  me: { at: 'GET /auth/me', needs: 'token' },
  changePassword: { at: 'PUT /auth/password', needs: 'token', takes: 'body' },
  endSessions: { at: 'DELETE /auth/sessions', needs: 'token' },
  createUser: { at: 'POST /users', needs: 'token', takes: 'body' },
  listUsers: { at: 'GET /users', needs: 'token' },
  getUser: { at: 'GET /users/{id}', needs: 'token' },
  updateUser: { at: 'PUT /users/{id}', needs: 'token', takes: 'body' },
  listTables: { at: 'GET /tables', needs: 'token' },
  putTable: { at: 'PUT /tables/{table}', needs: 'token' },
  deleteTable: { at: 'DELETE /tables/{table}', needs: 'token' },
  closeTable: { at: 'POST /tables/{table}/close', needs: 'token' },
  jwks: { at: 'GET /.well-known/jwks.json' },
  listMenu: { at: 'GET /menu' },
  getMenuItem: { at: 'GET /menu/{id}' },
  createMenuItem: { at: 'POST /menu', needs: 'token', takes: 'body' },
  updateMenuItem: { at: 'PUT /menu/{id}', needs: 'token', takes: 'body' },
  deleteMenuItem: { at: 'DELETE /menu/{id}', needs: 'token' },
  setAvailability: { at: 'PUT /menu/{id}/availability', needs: 'token', takes: 'body' },
  getOrdering: { at: 'GET /ordering' },
  putOrdering: { at: 'PUT /ordering', needs: 'token', takes: 'body' },
  placeOrder: { at: 'POST /orders', needs: 'token', takes: 'body', idempotencyKey: 'taken' },
  getOrder: { at: 'GET /orders/{id}', needs: 'token' },
  listOrders: { at: 'GET /orders', needs: 'token' },
  updateOrder: { at: 'PUT /orders/{id}', needs: 'token', takes: 'body' },
  updateOrderItem: { at: 'PUT /orders/{id}/items/{item_id}', needs: 'token', takes: 'body' },
  moveOrder: { at: 'PUT /orders/{id}/table', needs: 'token', takes: 'body' },
  markSeen: { at: 'POST /orders/seen', needs: 'token', takes: 'body' },
  getOrderHistory: { at: 'GET /orders/{id}/history', needs: 'token' },
  getOpenApi: { at: 'GET /openapi.json' },
  getAsyncApi: { at: 'GET /asyncapi.json' },
  getProblem: { at: 'GET /problems/{code}' },
  openAccount: { at: 'POST /accounts', needs: 'token', takes: 'body' },
  listAccounts: { at: 'GET /accounts', needs: 'token' },
  getAccount: { at: 'GET /accounts/{id}', needs: 'token' },
  listEntries: { at: 'GET /accounts/{id}/entries', needs: 'token' },
  deposit: {
    at: 'POST /accounts/{id}/deposits',
    needs: 'token',
    takes: 'body',
    idempotencyKey: 'taken',
    stepUp: 'account_deposit.create',
  },
  transferMoney: {
    at: 'POST /accounts/internal-transfers',
    needs: 'token',
    takes: 'body',
    idempotencyKey: 'taken',
    stepUp: 'internal_transfer.create',
  },
  getTransfer: { at: 'GET /accounts/internal-transfers/{id}', needs: 'token' },
  createTransactionPassword: { at: 'POST /security/transaction-password', needs: 'token', takes: 'body' },
  transactionPassword: { at: 'GET /security/transaction-password', needs: 'token' },
  changeTransactionPassword: { at: 'PUT /security/transaction-password', needs: 'token', takes: 'body' },
  approveTransactionPasswordReset: {
    at: 'POST /users/{id}/transaction-password-resets',
    needs: 'token',
    idempotencyKey: 'taken',
    stepUp: 'transaction_password.reset',
  },
  resetTransactionPassword: { at: 'POST /security/transaction-password/reset', needs: 'token', takes: 'body' },
  stepUp: { at: 'POST /security/step-up', needs: 'token', takes: 'body' },
  securityEvents: { at: 'GET /security/events', needs: 'token' },
};
