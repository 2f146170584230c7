import { expect, test } from '@jest/globals';
import { instant } from './instant.ts';

const read = (text: unknown): { value?: unknown; error?: string } => {
  const { value, error } = instant().label('from').validate(text, { convert: false });
  return error ? { error: error.message } : { value };
};

test.each([
  ['2030-01-01T21:30:00Z', '2030-01-01T21:30:00.000Z'],
  ['2030-01-01T21:30:00.5Z', '2030-01-01T21:30:00.500Z'],
  ['2030-01-01T21:30:00.123456Z', '2030-01-01T21:30:00.123Z'],
  ['2030-01-01T21:30:00.999999999Z', '2030-01-01T21:30:00.999Z'],
  ['2030-01-01T21:30:00.1234567890123Z', '2030-01-01T21:30:00.123Z'],
  ['2030-01-01t21:30:00z', '2030-01-01T21:30:00.000Z'],
  ['2030-01-01T21:30:00+00:00', '2030-01-01T21:30:00.000Z'],
  ['2030-01-01T21:30:00-00:00', '2030-01-01T21:30:00.000Z'],
  ['2030-01-01T21:30:00-03:00', '2030-01-02T00:30:00.000Z'],
  ['2030-01-01T01:30:00+05:45', '2029-12-31T19:45:00.000Z'],
  ['2028-02-29T23:59:59+23:59', '2028-02-29T00:00:59.000Z'],
  ['2026-02-28T23:30:00-03:00', '2026-03-01T02:30:00.000Z'],
  ['0099-01-01T00:00:00Z', '0099-01-01T00:00:00.000Z'],
])('%s is parsed as %s', (text, moment) => {
  expect(read(text)).toEqual({ value: moment });
});

test.each([
  '2030-01-01',
  '2030-01-01T21:30Z',
  '2030-01-01T21:30:00',
  '2030-01-01T21:30:00.Z',
  '2030-01-01T21:30:00,5Z',
  '2030-01-01T21:30:00+0300',
  '2030-01-01T21:30:00-03',
  '2030-01-01T21:30:00 00:00',
  '2030-01-01 21:30:00Z',
  '2030-W01-1T21:30:00Z',
  '+012030-01-01T21:30:00Z',
  ' 2030-01-01T21:30:00Z',
  '2030-01-01T21:30:00Z\n',
  'tomorrow',
])("%j is rejected because it isn't an RFC 3339 time, and the message shows a valid one", (text) => {
  expect(read(text).error).toMatch(/^"from" must be an RFC 3339 time .*-03:00/);
});

test.each([
  '2026-02-30T00:00:00Z',
  '2026-02-29T23:00:00-03:00',
  '2026-13-01T00:00:00Z',
  '2026-00-01T00:00:00Z',
  '2026-01-00T00:00:00Z',
  '2026-04-31T00:00:00+02:00',
  '2030-01-01T24:00:00Z',
  '2030-01-01T21:60:00Z',
  '2016-12-31T23:59:60Z',
  '2030-01-01T21:30:00+24:00',
  '2030-01-01T21:30:00+03:60',
  '0000-01-01T00:00:00+00:01',
  '9999-12-31T23:59:59-00:01',
])("%s is rejected because it isn't a real time", (text) => {
  expect(read(text).error).toMatch(/^"from" must be a time that exists/);
});

test.each([20_300_101, null, true, {}])('%j is rejected because a time must be a string', (value) => {
  expect(read(value).error).toBe('"from" must be a string');
});
