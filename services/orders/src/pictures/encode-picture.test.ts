import { expect, test } from '@jest/globals';
import sharp from 'sharp';
import { refusalOf } from './encode-picture.ts';

const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

test("a picture that takes too long to encode gets a 503 with advice, and isn't reported as damaged", async () => {
  const background = { r: 200, g: 90, b: 10 };
  const blank = sharp({ create: { width: 8000, height: 8000, channels: 3, background } });

  const late = await errorOf(blank.blur(200).png().timeout({ seconds: 1 }).toBuffer());

  expect(refusalOf(late)).toMatchObject({
    code: 'service_unavailable',
    headers: { 'Retry-After': '1' },
    members: { detail: expect.stringContaining('Try again') },
  });
});

test('a damaged picture is reported as damaged', async () => {
  const damaged = await errorOf(sharp(Buffer.from('no picture')).toBuffer());

  expect(refusalOf(damaged)).toMatchObject({ code: 'picture_invalid', members: { reason: 'unreadable' } });
});
