import { createPublicKey, type JsonWebKeyInput, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Express, NextFunction, Request, Response } from 'express';
import jwt from 'jsonwebtoken';

export const env = (name: string): string => process.env[name] ?? '';

/** Fetches a JWKS and returns its public keys, keyed by `kid`. */
export async function fetchKeys(jwksUrl: string): Promise<Map<string, KeyObject>> {
  const { keys } = (await (await fetch(jwksUrl)).json()) as { keys: (JsonWebKeyInput['key'] & { kid: string })[] };
  return new Map(keys.map((key) => [key.kid, createPublicKey({ key, format: 'jwk' })]));
}

/** Verifies an ES256 token for this audience, and returns its claims. @throws JsonWebTokenError */
export function verifyToken(keys: Map<string, KeyObject>, token: string, audience: string): jwt.JwtPayload {
  const key = keys.get(jwt.decode(token, { complete: true })?.header.kid ?? '');
  if (!key) throw new jwt.JsonWebTokenError('unknown key');
  return jwt.verify(token, key, { algorithms: ['ES256'], issuer: 'comanda', audience }) as jwt.JwtPayload;
}

/**
 * Responds with 401 to a request without a valid access token. Otherwise, sets `res.locals` to the token's `userId` and
 * `userName`.
 */
export const requireAccessToken =
  (keys: Map<string, KeyObject>) =>
  (req: Request, res: Response, next: NextFunction): void => {
    try {
      const [, token = ''] = /^Bearer (.+)$/.exec(req.headers.authorization ?? '') ?? [];
      const { sub, name } = verifyToken(keys, token, 'comanda');
      Object.assign(res.locals, { userId: Number(sub), userName: String(name) });
    } catch {
      res.status(401).json({ code: 'invalid_token' });
      return;
    }
    next();
  };

/** Listens on a free port on this machine, and prints the URL. */
export async function listen(app: Express): Promise<void> {
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}
