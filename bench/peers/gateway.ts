// Checks tokens and forwards requests to orders, like the gateway. Needs JWKS_URL and ORDERS_URL.
import express from 'express';
import { rateLimit } from 'express-rate-limit';
import helmet from 'helmet';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { env, fetchKeys, listen, requireAccessToken } from './tokens.ts';

const app = express().disable('x-powered-by');
app.use(helmet());
app.use(rateLimit({ windowMs: 60_000, limit: 100_000_000, standardHeaders: 'draft-8', legacyHeaders: false }));
app.use(requireAccessToken(await fetchKeys(env('JWKS_URL'))));
app.use(createProxyMiddleware({ target: env('ORDERS_URL'), pathFilter: '/orders' }));
await listen(app);
