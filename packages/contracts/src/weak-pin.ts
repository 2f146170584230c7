/**
 * The most common PINs in published lists, and keypad patterns. PINs that the rules in `isWeakPin` already reject are left out.
 */
const commonPins = new Set(
  (
    '123654 654123 147258 258369 147852 258147 369258 741852 852963 963852 159357 357159 159753 753159 951357 357951 ' +
    '456852 258456 147369 369147 789456 456789 456123 123456 741963 963741 159951 951159 753951 147896 789654 321456 ' +
    '321654 654789 987456 123789 789123 321987 987321 112358 314159 271828 141421 161803 420420 696969 007007 911911 ' +
    '102030 203040 010203 090807 908070 110011 100001 123698 147963 159263 142536 415263 123321 100200 200300 520131 ' +
    '201314 131452 521521 520520 168168 188888 111222 222333 333444 555666 777888 888999 999000 666777 444555'
  ).split(' '),
);

/**
 * Returns true if a six-digit PIN is too easy to guess: a repeated group (`111111`, `121212`, `123123`), pairs or triples of one
 * digit (`112233`, `111222`), a palindrome (`123321`), digits with a constant step (`123456`, `975319`), a date, or one of the
 * most common PINs.
 */
export const isWeakPin = (pin: string): boolean =>
  /^(\d{1,3})\1+$/.test(pin) ||
  /^(\d)\1(\d)\2(\d)\3$/.test(pin) ||
  /^(\d)\1\1(\d)\2\2$/.test(pin) ||
  pin === pin.split('').reverse().join('') ||
  isRun(pin) ||
  isDate(pin) ||
  commonPins.has(pin);

/** The most common four-digit PINs. PINs that the rules in `isWeakTabletPin` already reject are left out. */
const commonTabletPins = new Set(
  '2580 0852 1379 9731 1397 7139 1478 3698 2468 1122 1133 5566 0007 1010 6969'.split(' '),
);

/**
 * Why a tablet PIN is too easy to guess. `repetition`: `1111` or `1212`; `steps`: equal steps, such as `1234`, `9876` or `4826`;
 * `year`: a year such as `1987`.
 */
export type TabletPinWeakness = 'repetition' | 'steps' | 'year' | 'common';

/** Returns why a tablet PIN is too easy to guess; null if it isn't. */
export function weaknessOfTabletPin(pin: string): TabletPinWeakness | null {
  if (/^(\d{1,2})\1+$/.test(pin)) return 'repetition';
  if (isRun(pin)) return 'steps';
  if (/^(19|20)\d\d$/.test(pin)) return 'year';
  return commonTabletPins.has(pin) ? 'common' : null;
}
export const isWeakTabletPin = (pin: string): boolean => weaknessOfTabletPin(pin) !== null;

/** Returns true if each digit differs from the previous one by the same step; 0 follows 9. */
function isRun(pin: string): boolean {
  const digits = Array.from(pin, Number);
  const steps = digits.slice(1).map((digit, index) => (digit - (digits[index] ?? 0) + 10) % 10);
  return steps.every((step) => step === steps[0]);
}

/** Returns true if the digits are a date: ddmmyy, mmddyy or yymmdd; or mmyyyy or yyyymm for the years 1900 to 2099. */
function isDate(pin: string): boolean {
  const [a = 0, b = 0, c = 0] = [pin.slice(0, 2), pin.slice(2, 4), pin.slice(4, 6)].map(Number);
  const isDay = (day: number, month: number): boolean =>
    month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(2000, month, 0)).getUTCDate();
  const isMonth = (month: number, century: number): boolean =>
    month >= 1 && month <= 12 && (century === 19 || century === 20);
  return isDay(a, b) || isDay(b, a) || isDay(c, b) || isMonth(a, b) || isMonth(c, a);
}
