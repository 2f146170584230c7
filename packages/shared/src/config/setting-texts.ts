/** Descriptions of the settings that several services share. Each service declares its own schema and default. */
export const settingTexts = {
  authStepupUrl: 'URL of auth-stepup',
  currency: 'Currency of all prices, and of accounts opened without one [ISO 4217]',
  drainWindowMs: 'How long it takes to close the live feeds when the service stops. Few feeds take less: 10 ms each',
  feedLimitAddress: 'Open live feeds per IP address. In the notifier, guests and customers get three quarters of them',
  feedPendingLimit: 'Sockets in total without a valid token yet. At the limit, the oldest is closed',
  feedPendingLimitAddress:
    'Sockets per IP address without a valid token yet. At the limit, the oldest is closed. They do not count as live feeds',
  nodeEnv:
    'With `production`, every service rejects demo secrets and requires the addresses of other services. The gateway and the notifier reject plain HTTP with 403 `tls_required`. auth-stepup warns on `/readyz` if Redis has no append-only file',
  ordersUrl: 'URL of orders',
  publicUrl: 'URL at which guests reach the gateway. It is part of the QR codes of tables',
  rateLimitFeed: 'Live feed handshakes per minute and IP address. All phones in a restaurant may reconnect at once',
  transfersUrl: 'URL of transfers',
};
