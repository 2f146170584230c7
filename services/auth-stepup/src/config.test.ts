import { expect, test } from '@jest/globals';
import { loadConfig } from '@comanda/shared/config/load-config';
import { stackSettings } from '@comanda/local-stack/stack-settings';
import { testSecrets } from '@comanda/testing/test-secrets';
import { authStepupSettings } from './config.ts';

const servers = {
  mongodbUri: 'mongodb://127.0.0.1',
  redisUrl: 'redis://127.0.0.1',
  rabbitmqUrl: 'amqp://127.0.0.1',
};
const load = (settings: Record<string, string>) =>
  loadConfig(authStepupSettings, { ...stackSettings({ servers, secrets: testSecrets() })['auth-stepup'], ...settings });
const known = 'internal_transfer.create';

test('STEP_UP_DETAILS_REQUIRED lists endpoint keys', () => {
  expect(load({ STEP_UP_DETAILS_REQUIRED: known })).toMatchObject({ stepUpDetailsRequired: [known] });
});

test.each(['internal_transfers.create', `${known},nothing.like_it`])(
  'STEP_UP_DETAILS_REQUIRED is rejected with the unknown key in %s',
  (keys) => {
    expect(() => load({ STEP_UP_DETAILS_REQUIRED: keys })).toThrow('STEP_UP_DETAILS_REQUIRED');
  },
);
