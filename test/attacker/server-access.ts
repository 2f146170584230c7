import { expect } from '@jest/globals';
import { caller, codeOf, created } from '@comanda/testing/call';
import { passwordHash } from '@comanda/testing/credentials';
import { findSecrets, textOfDatabases, textOfKeys } from '@comanda/testing/find-secrets';
import * as calls from '@comanda/testing/step-up-calls';
import { until } from '@comanda/testing/until';
import { claimsOf, pay, tokensOf, type Attackers } from './target.ts';

/** Attackers with control of a server, or with its data. */
export const serverAccess: Attackers = {
  'control of Redis': {
    "Can't get a token. Can guess a password a hundred times, but no more.": async ({
      servers,
      redis,
      customer,
      users,
      login,
    }) => {
      const ana = await customer();
      const codes = [];
      for (let guess = 0; guess < 3; guess++) codes.push(codeOf(await login(ana.email, 'not-the-password')));
      expect(codes).toEqual([...Array<string>(2).fill('401 invalid_credentials'), '429 rate_limited']);
      await redis.del(await redis.keys(`${servers.redisPrefix}limit:sign-in-failures:*`));
      expect(codeOf(await login(ana.email, 'not-the-password'))).toBe('401 invalid_credentials');
      const stored = async () => (await users().findOne({ usuarioID: ana.id }))?.['wrong_passwords'];
      // A response is sent before the wrong password is counted in the database.
      await until(async () => (await stored()) === 3, { what: 'the wrong passwords to be stored' });
      await users().updateOne({ usuarioID: ana.id }, { $set: { wrong_passwords: 100 } });
      await redis.del(await redis.keys(`${servers.redisPrefix}limit:sign-in-failures:*`));
      expect(codeOf(await login(ana.email))).toBe('403 password_blocked');
      expect(findSecrets({ redis: await textOfKeys(redis, servers.redisPrefix) }, tokensOf(ana))).toEqual([]);
    },
    "Can't read orders, because none are in Redis.": async ({ servers, redis, customer, order }) => {
      created(await order((await customer()).call));
      const keys = await redis.keys(`${servers.redisPrefix}*`);
      const documented = /^(attempts|tablet-attempts|min-pin-version|jti|limit|rate)\b/;
      expect(keys.map((key) => key.slice(servers.redisPrefix.length)).filter((key) => !documented.test(key))).toEqual(
        [],
      );
    },
    'Can guess a PIN six times in 30 minutes, plus the guesses that run at the same moment.': async ({
      servers,
      redis,
      customer,
    }) => {
      const ana = await customer();
      created(await calls.choosePin(ana.call));
      const codes = [];
      for (let guess = 0; guess < 7; guess++) {
        const response = calls.stepUp(ana.call, calls.wrongPin).then(codeOf);
        let isAnswered = false;
        void response.then(() => (isAnswered = true));
        // While the attempt's key is deleted again and again, only MongoDB can count the attempt.
        while (!isAnswered) await redis.del(`${servers.redisPrefix}attempts:{${ana.id}}`);
        codes.push(await response);
      }
      const blocked = '429 transaction_password_blocked';
      expect(codes.slice(5)).toEqual([blocked, blocked]);
    },
    'Can make a spent token unspent for the rest of its 120 seconds, but no money moves twice.': async ({
      stack,
      payer,
    }) => {
      const ana = await payer();
      const token = await stack.auth.issueStepUpToken({ userId: ana.id, endpointKey: calls.transferKey });
      created(await pay(ana.call, ana, token));
      await stack.auth.unspendStepUpToken({ userId: ana.id, jti: String(claimsOf(token)['jti']) });
      expect(codeOf(await pay(ana.call, ana, token))).toBe('401 step_up_used');
    },
    "Can't get names, addresses or keys.": async ({ servers, redis, customer, login }) => {
      const ana = await customer();
      await login(ana.email);
      const text = await textOfKeys(redis, servers.redisPrefix);
      expect(text).not.toContain(ana.email);
      expect(text).not.toContain('PRIVATE KEY');
    },
  },
  'a copy of MongoDB': {
    "Can read the hashes of passwords and refresh tokens. Can't get a token.": async ({ customer, database }) => {
      const ana = await customer();
      const text = await textOfDatabases([database('auth')]);
      expect(text).toContain(passwordHash);
      expect(findSecrets({ auth: text }, tokensOf(ana))).toEqual([]);
      expect(text).not.toContain(ana.refreshToken);
    },
    "Can read all orders. Can't get a table's code.": async ({ customer, database, order, newTable }) => {
      const [ana, { token }] = [await customer(), await newTable()];
      const { id } = created(await order(ana.call));
      const text = await textOfDatabases([database('orders'), database('auth')]);
      expect(await database('orders').collection('pedidos').findOne({ _id: id })).not.toBeNull();
      expect(text).not.toContain(token.split('.')[1]);
    },
    "Can read the hashes of PINs, but can't try PINs out without the pepper.": async ({
      customer,
      database,
      users,
    }) => {
      const ana = await customer();
      created(await calls.choosePin(ana.call));
      const stored = await users().findOne({ usuarioID: ana.id });
      expect(stored?.['pin']).toMatchObject({ hash: expect.stringMatching(/^\$2b\$/), pepper_id: 'local' });
      const text = await textOfDatabases([database('auth')]);
      expect(findSecrets({ auth: text }, { pins: [calls.pin], tokens: [] })).toEqual([]);
    },
    "Can read all balances and transfers. Can't move money.": async ({ database, payer }) => {
      const ana = await payer();
      const stored = await database('transfers')
        .collection('accounts')
        .findOne({ _id: ana.from as never });
      expect(stored).not.toBeNull();
    },
    "Can read names, e-mail addresses and network addresses. Can't get a key.": async ({ customer, database }) => {
      const ana = await customer();
      const text = await textOfDatabases([database('auth'), database('transfers')]);
      expect(text).toContain(ana.email);
      const keys = await database('auth').collection('keys').find().toArray();
      expect(keys.length).toBeGreaterThan(0);
      for (const key of keys) expect(key['sealed_private_key']).toMatch(/^local:/);
      expect(text).not.toContain('PRIVATE KEY');
    },
  },
  'write access to MongoDB': {
    'Can sign in as any user.': async ({ customer, database, refresh }) => {
      const [ana, eve] = [await customer(), await customer()];
      await database('auth')
        .collection('sessions')
        .updateOne({ user_id: eve.id }, { $set: { user_id: ana.id } });
      expect(claimsOf((await refresh(eve.refreshToken)).body.access_token)['sub']).toBe(String(ana.id));
    },
    'Can change everything.': async ({ customer, database, order }) => {
      const ana = await customer();
      const { id } = created(await order(ana.call));
      await database('orders').collection('pedidos').deleteMany({});
      expect(codeOf(await ana.call('GET', `/orders/${id}`))).toBe('404 not_found');
    },
    'Can remove a PIN and create another.': async ({ customer, users }) => {
      const ana = await customer();
      created(await calls.choosePin(ana.call));
      expect(codeOf(await calls.choosePin(ana.call, calls.otherPin))).toBe('409 transaction_password_exists');
      await users().updateOne({ usuarioID: ana.id }, { $set: { pin: null } });
      expect((await calls.choosePin(ana.call, calls.otherPin)).status).toBe(201);
    },
    'Can move money as any user. Can change balances, but `npm run verify-ledger` finds that.': async ({
      stack,
      database,
      payer,
    }) => {
      const ana = await payer();
      await database('transfers')
        .collection('accounts')
        .updateOne({ _id: ana.to as never }, { $set: { owner_id: ana.id } });
      const run = stack.runServiceCommand('transfers', 'src/verify-ledger.ts', { args: [], env: {} });
      await expect(run).rejects.toMatchObject({ stdout: expect.stringContaining(String(ana.to)) });
    },
    "Can make any user a manager and delete the audit trail. Can't add a key.": async ({
      stack,
      customer,
      database,
      users,
      refresh,
    }) => {
      const eve = await customer();
      await users().updateOne({ usuarioID: eve.id }, { $set: { papel: 'manager' } });
      const { access_token: token } = (await refresh(eve.refreshToken)).body;
      const asManager = caller(stack.gatewayUrl, { token });
      expect((await asManager('GET', '/users')).status).toBe(200);
      await database('auth').collection('audit').deleteMany({});
      expect((await asManager('GET', '/audit')).body).toEqual([]);
    },
  },
};
