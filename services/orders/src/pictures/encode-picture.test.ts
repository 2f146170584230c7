import { expect, test } from '@jest/globals';
import sharp from 'sharp';
import { refusalOf } from './encode-picture.ts';

const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

test('when a picture takes too long, then the answer is not that it is damaged, and says what to do', async () => {
  const background = { r: 200, g: 90, b: 10 };
  const blank = sharp({ create: { width: 8000, height: 8000, channels: 3, background } });

  const late = await errorOf(blank.blur(200).png().timeout({ seconds: 1 }).toBuffer());

  expect(refusalOf(late)).toMatchObject({
    code: 'service_unavailable',
    headers: { 'Retry-After': '1' },
    members: { detail: expect.stringContaining('Try again') },
  });
});

test('when a picture is damaged, then the answer says so', async () => {
  const damaged = await errorOf(sharp(Buffer.from('no picture')).toBuffer());

  expect(refusalOf(damaged)).toMatchObject({ code: 'picture_invalid', members: { reason: 'unreadable' } });
});
