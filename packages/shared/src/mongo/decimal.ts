import mongoose from 'mongoose';
import type { mongo } from 'mongoose';

/** A decimal number as MongoDB stores it. `toString()` returns its digits. */
export type Decimal = mongo.Decimal128;

export const toDecimal = (text: string): Decimal => mongoose.mongo.Decimal128.fromString(text);
