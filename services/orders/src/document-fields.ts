import type { IdempotentRequest } from '@comanda/shared/http/request-fingerprint';
import { toDecimal, type Decimal } from '@comanda/shared/mongo/decimal';
import { fromMinor, toMinor, toSignedMinor } from './money.ts';

export type RequestFields = { request_key?: string; request_fingerprint?: string };

export const id = { type: Number, required: true, min: 1 };
export const optionalId = { type: Number, min: 1 };
export const time = { type: Date, required: true };
export const absentOr = <T>(type: T) => ({ type, allowNull: false });
export const requestFields = { request_key: absentOr(String), request_fingerprint: absentOr(String) };

export const money = (minor: number): Decimal => toDecimal(fromMinor(minor));
export const minor = (amount: Decimal): number => toMinor(amount.toString());
/** Like `minor`, for an amount that may be negative. */
export const signedMinor = (amount: Decimal): number => toSignedMinor(amount.toString());
type Request = IdempotentRequest | null;
export const toRequestFields = (request: Request): RequestFields =>
  request ? { request_key: request.key, request_fingerprint: request.fingerprint } : {};
export const toRequest = ({ request_key: key, request_fingerprint: fingerprint }: RequestFields): Request =>
  key === undefined || fingerprint === undefined ? null : { key, fingerprint };
