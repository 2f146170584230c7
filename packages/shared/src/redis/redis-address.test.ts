import { expect, test } from '@jest/globals';
import { redisAddress } from './redis-address.ts';

test('redisAddress returns the URL of a single server unchanged', () => {
  expect(redisAddress('redis://:secret@cache:6379/1')).toEqual({ url: 'redis://:secret@cache:6379/1' });
});

test('redisAddress returns the Sentinels that know the primary', () => {
  const address = redisAddress('redis+sentinel://shop:a%40b@s1:26379,s2/main');

  expect(address).toMatchObject({
    sentinels: {
      sentinels: [
        { host: 's1', port: 26379 },
        { host: 's2', port: 26379 },
      ],
      name: 'main',
      username: 'shop',
      password: 'a@b',
      failoverDetector: true,
    },
  });
});

test('redisAddress returns only a password if the URL names no user', () => {
  const address = redisAddress('redis+sentinel://:secret@s1:1/main');

  expect(address).toMatchObject({ sentinels: { password: 'secret' } });
  expect(address).not.toHaveProperty('sentinels.username');
});
