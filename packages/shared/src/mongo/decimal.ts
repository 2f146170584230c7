import mongoose, { type mongo } from 'mongoose';

/** A decimal number as MongoDB stores it. `toString()` returns its digits as text. */
export type Decimal = mongo.Decimal128;

/** The type of a stored decimal number in a schema. */
export const decimal = mongoose.Schema.Types.Decimal128;

export const toDecimal = (text: string): Decimal => mongoose.mongo.Decimal128.fromString(text);
