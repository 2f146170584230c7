import { fromMinor } from '@comanda/contracts/money';

/** The notes and coins of the Brazilian real, in cents. */
const notes = [20_000, 10_000, 5_000, 2_000, 1_000, 500, 200];
const coins = [100, 50, 25, 10, 5];
/** The notes and coins that a currency has, in minor units, highest first. Empty for a currency without a list. */
export const piecesOf = (currency: string): readonly number[] => (currency === 'BRL' ? [...notes, ...coins] : []);

/** How many there are of each note or coin, as typed, by its value in minor units. */
export type Pieces = Readonly<Record<string, string>>;

const isCount = (typed: string): boolean => /^\d{1,5}$/.test(typed.trim());
/** Returns the values whose count isn't a whole number. */
export const invalidPieces = (pieces: Pieces): readonly string[] =>
  Object.entries(pieces).flatMap(([value, typed]) => (typed.trim() === '' || isCount(typed) ? [] : [value]));
export const arePiecesTyped = (pieces: Pieces): boolean => Object.values(pieces).some((typed) => typed.trim() !== '');
/** Adds up notes and coins. */
export const totalOf = (pieces: Pieces): string =>
  fromMinor(
    Object.entries(pieces).reduce(
      (sum, [value, typed]) => (isCount(typed) ? sum + BigInt(value) * BigInt(typed.trim()) : sum),
      0n,
    ),
  );
