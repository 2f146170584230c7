import { describe, expect, test } from '@jest/globals';
import { isWeakPin, isWeakTabletPin, weaknessOfTabletPin } from './weak-pin.ts';

describe('isWeakPin', () => {
  test.each([
    ['a repeated group', ['000000', '121212', '123123', '907907']],
    ['pairs or triples of one digit', ['112233', '995500', '111222', '777000']],
    ['a palindrome', ['123321', '904409']],
    [
      'digits with a constant step, even if they wrap from 9 to 0',
      ['123456', '654321', '024680', '975319', '890123', '369258'],
    ],
    ['ddmmyy', ['251299', '010100', '290200', '311207']],
    ['mmddyy', ['122599', '022912']],
    ['yymmdd', ['991225', '870131']],
    ['a month and a year', ['121999', '199912', '202401', '012087']],
    ['one of the most common PINs', ['159753', '147258', '112358', '696969', '420420']],
  ])('returns true for %s', (_rule, pins) => {
    for (const pin of pins) expect([pin, isWeakPin(pin)]).toEqual([pin, true]);
  });

  test('returns false when no rule matches', () => {
    for (const pin of ['739152', '862047', '604817', '320499', '133799', '991399', '132087', '218000'])
      expect([pin, isWeakPin(pin)]).toEqual([pin, false]);
  });

  test('returns true for nine percent of PINs spread evenly over the range', () => {
    const some = Array.from({ length: 76_000 }, (_each, index) => (index * 618_033) % 1_000_000);
    const weak = some.filter((each) => isWeakPin(String(each).padStart(6, '0')));
    expect(weak.length / some.length).toBeCloseTo(0.09, 2);
  });
});

describe('weaknessOfTabletPin', () => {
  test.each([
    ['repetition', ['0000', '7777', '1212', '9090', '6969']],
    ['steps', ['1234', '9876', '8901', '2468', '9630', '4826']],
    ['year', ['1900', '1987', '2026']],
    ['common', ['2580', '1379', '0852']],
  ])('returns %s for a PIN with this pattern', (weakness, pins) => {
    for (const pin of pins) expect([pin, weaknessOfTabletPin(pin)]).toEqual([pin, weakness]);
  });
});

describe('isWeakTabletPin', () => {
  test('returns true for any pattern', () => {
    for (const pin of ['7777', '1234', '1987', '2580']) expect([pin, isWeakTabletPin(pin)]).toEqual([pin, true]);
  });

  test('returns false when no rule matches', () => {
    for (const pin of ['7391', '4827', '5170', '1884', '2187'])
      expect([pin, isWeakTabletPin(pin)]).toEqual([pin, false]);
  });

  test('returns true for about four percent of all ten thousand PINs', () => {
    const weak = Array.from({ length: 10_000 }, (_each, index) => String(index).padStart(4, '0')).filter(
      isWeakTabletPin,
    );
    expect(weak.length / 10_000).toBeCloseTo(0.04, 2);
  });
});
