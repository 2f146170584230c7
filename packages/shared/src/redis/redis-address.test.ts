import { expect, test } from '@jest/globals';
import { redisAddress } from './redis-address.ts';

test('when the URL names one server, then it is used as it is', () => {
  expect(redisAddress('redis://:secret@cache:6379/1')).toEqual({ url: 'redis://:secret@cache:6379/1' });
});

test('when the URL names Sentinels, then they are asked for the primary', () => {
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

test('when the data nodes have a password and no user, then only the password is sent', () => {
  const address = redisAddress('redis+sentinel://:secret@s1:1/main');

  expect(address).toMatchObject({ sentinels: { password: 'secret' } });
  expect(address).not.toHaveProperty('sentinels.username');
});
