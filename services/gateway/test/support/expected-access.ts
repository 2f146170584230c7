/**
 * The users who may call an endpoint:
 * - `everyone`: no token is needed
 * - `signed in`: any token is accepted, including a guest's
 * - `account`: any user with their own sign-in is accepted
 */
export type Access = 'everyone' | 'signed in' | 'account' | 'waiter' | 'staff' | 'manager';

/**
 * The users who may call each endpoint. This table is written by hand to reveal wrong roles in contracts. Each new endpoint needs
 * a line here.
 */
export const expectedAccess: Readonly<Record<string, Access>> = {
  'POST /auth/register': 'everyone',
  'POST /auth/login': 'everyone',
  'POST /auth/guest': 'everyone',
  'POST /auth/refresh': 'everyone',
  'POST /auth/seat': 'everyone',
  'POST /auth/logout': 'everyone',
  'GET /auth/me': 'signed in',
  'PUT /auth/password': 'account',
  'DELETE /auth/sessions': 'signed in',
  'GET /auth/sessions': 'account',
  'DELETE /auth/sessions/{id}': 'account',
  'GET /.well-known/jwks.json': 'everyone',

  'GET /setup': 'everyone',
  'POST /setup/manager': 'everyone',

  'GET /users': 'manager',
  'POST /users': 'manager',
  'POST /invitations': 'manager',
  'DELETE /invitations/{id}': 'manager',
  'POST /auth/invitation': 'everyone',
  'POST /auth/invitation/acceptance': 'everyone',
  'POST /tablets': 'manager',
  'GET /tablets': 'manager',
  'DELETE /tablets/{id}': 'manager',
  'POST /auth/tablet': 'everyone',
  'POST /auth/tablet/login': 'everyone',
  'PUT /auth/tablet-pin': 'waiter',
  'GET /users/{id}': 'manager',
  'PUT /users/{id}': 'manager',

  'GET /tables': 'staff',
  'POST /tables': 'manager',
  'PUT /tables/{table}': 'manager',
  'DELETE /tables/{table}': 'manager',
  'POST /tables/{table}/open': 'staff',
  'POST /tables/{table}/close': 'staff',
  'POST /tables/{table}/clean': 'staff',
  'POST /tables/{table}/move': 'staff',
  'POST /tables/{table}/join': 'staff',

  'GET /stops': 'everyone',
  'PUT /stops/{name}': 'manager',

  'GET /menu': 'everyone',
  'GET /menu/{id}': 'everyone',
  'POST /menu': 'manager',
  'PUT /menu/{id}': 'manager',
  'PUT /menu/import': 'manager',
  'DELETE /menu/{id}': 'manager',
  'PUT /menu/{id}/availability': 'staff',
  'GET /option-groups': 'everyone',
  'GET /option-groups/{id}': 'everyone',
  'POST /option-groups': 'manager',
  'PUT /option-groups/{id}': 'manager',
  'DELETE /option-groups/{id}': 'manager',
  'PUT /option-groups/{id}/options/{option_id}/availability': 'staff',
  'POST /menu-pictures': 'manager',
  'GET /menu-pictures/{picture}': 'everyone',
  'GET /menu-changes': 'manager',
  'GET /ordering': 'everyone',
  'PUT /ordering': 'staff',
  'GET /restaurant': 'everyone',
  'PUT /restaurant': 'manager',
  'GET /restaurant/wifi': 'manager',
  'GET /restaurant-changes': 'manager',

  // The service checks the owner of each order.
  'POST /orders': 'signed in',
  'GET /orders': 'signed in',
  'GET /orders/{id}': 'signed in',
  'PUT /orders/{id}': 'signed in',
  'GET /orders/{id}/history': 'signed in',
  'PUT /orders/{id}/items/{item_id}': 'staff',
  'PUT /orders/{id}/table': 'staff',
  'POST /orders/{id}/move-items': 'staff',
  'POST /orders/{id}/items/{item_id}/remake': 'staff',
  'POST /orders/seen': 'staff',
  'PUT /orders/{id}/allergies-read': 'staff',

  // The service checks who may see each bill.
  'GET /bills': 'signed in',
  'GET /bills/{id}': 'signed in',
  'GET /bills/{id}/history': 'staff',
  'POST /bills/{id}/discounts': 'staff',
  'DELETE /bills/{id}/discounts/{discount_id}': 'staff',
  'PUT /bills/{id}/service-charge': 'signed in',
  'PUT /bills/{id}/table': 'staff',
  'PUT /bills/{id}/covers': 'staff',
  'POST /bills/{id}/merge': 'staff',
  'POST /bills/{id}/close': 'staff',
  'POST /bills/{id}/reopen': 'manager',
  // Staff record all kinds of payment. Customers pay only from an account.
  'POST /bills/{id}/payments': 'signed in',
  'GET /bills/{id}/payments/{payment_id}': 'signed in',
  'POST /bills/{id}/payments/{payment_id}/cancel': 'signed in',
  'POST /bills/{id}/payments/{payment_id}/refund': 'staff',
  'GET /exceptions': 'manager',

  // The service checks who may see each call.
  'POST /calls': 'signed in',
  'GET /calls': 'signed in',
  'PUT /calls/{id}': 'signed in',

  'GET /accounts': 'account',
  'POST /accounts': 'account',
  'GET /accounts/{id}': 'account',
  'GET /accounts/{id}/payee': 'account',
  'GET /accounts/{id}/entries': 'account',
  'POST /accounts/{id}/deposits': 'manager',
  'POST /accounts/internal-transfers': 'account',
  'GET /accounts/internal-transfers/{id}': 'account',
  'POST /accounts/bill-payments': 'account',
  'POST /accounts/bill-refunds': 'manager',

  // The service checks who can read the payment's bill.
  'GET /pix': 'everyone',
  'POST /pix/charges': 'signed in',
  'GET /pix/charges/{payment_id}': 'signed in',
  'POST /pix/charges/{payment_id}/confirm': 'staff',
  'GET /pix/receipts': 'manager',
  'GET /pix/receipts/{e2e}': 'manager',
  'POST /pix/receipts/{e2e}/refunds': 'manager',
  'POST /pix/receipts/{e2e}/assign': 'manager',
  'POST /pix/receipts/{e2e}/dismiss': 'manager',
  'POST /pix-hints': 'everyone',
  'POST /pix-hints/pix': 'everyone',

  'GET /security/transaction-password': 'account',
  'POST /security/transaction-password': 'account',
  'PUT /security/transaction-password': 'account',
  'POST /security/transaction-password/reset': 'account',
  'POST /users/{id}/transaction-password-resets': 'manager',
  'POST /security/step-up': 'account',
  'GET /security/events': 'signed in',
  'GET /audit': 'manager',

  'GET /openapi.json': 'everyone',
  'GET /asyncapi.json': 'everyone',
  'GET /docs': 'everyone',
  'GET /problems/{code}': 'everyone',
  'GET /stations': 'staff',
  'PUT /stations': 'manager',
  'PUT /stations/{station}': 'manager',
  'GET /screens': 'manager',
  'PUT /screens/{screen}': 'staff',
};

/** The endpoints that a user may call before changing a password set by someone else. Public endpoints are not listed. */
export const allowedWithFirstPassword: ReadonlySet<string> = new Set(['GET /auth/me', 'PUT /auth/password']);

/** Endpoints for a waiter's own secrets, sessions and money. A waiter who signed in with a tablet PIN may not call them. */
export const refusedOnTablets: ReadonlySet<string> = new Set([
  'PUT /auth/password',
  'PUT /auth/tablet-pin',
  'GET /auth/sessions',
  'DELETE /auth/sessions',
  'DELETE /auth/sessions/{id}',
  'GET /security/transaction-password',
  'POST /security/transaction-password',
  'PUT /security/transaction-password',
  'POST /security/transaction-password/reset',
  'POST /security/step-up',
  'GET /security/events',
  'GET /accounts',
  'POST /accounts',
  'GET /accounts/{id}',
  'GET /accounts/{id}/payee',
  'GET /accounts/{id}/entries',
  'POST /accounts/internal-transfers',
  'GET /accounts/internal-transfers/{id}',
  'POST /accounts/bill-payments',
]);

/** The endpoints that require a PIN, with their endpoint keys. */
export const expectedStepUp: Readonly<Record<string, string>> = {
  'POST /users': 'user.manage',
  'POST /invitations': 'user.manage',
  'PUT /users/{id}': 'user.manage',
  'PUT /stops/{name}': 'stop.manage',
  'POST /tablets': 'tablet.register',
  'POST /menu': 'menu.manage',
  'PUT /menu/{id}': 'menu.manage',
  'PUT /menu/import': 'menu.manage',
  'POST /option-groups': 'menu.manage',
  'PUT /option-groups/{id}': 'menu.manage',
  'POST /users/{id}/transaction-password-resets': 'transaction_password.reset',
  'POST /accounts/{id}/deposits': 'account_deposit.create',
  'POST /accounts/internal-transfers': 'internal_transfer.create',
  'POST /accounts/bill-payments': 'bill_payment.create',
  'POST /accounts/bill-refunds': 'bill_refund.create',
  'POST /pix/receipts/{e2e}/refunds': 'pix_refund.create',
};
