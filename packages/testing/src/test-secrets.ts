import { newSecrets, type Secrets } from '@comanda/local-stack/secrets';
import type { ServiceName } from '@comanda/local-stack/stack-settings';
import type { ServiceIdentity } from '@comanda/shared/http/service-signature';

/** Returns a service's secret, which is the same in all tests, so that a test's fake server can respond to every service. */
const secretOf = (name: string): string => Buffer.from(`a secret of tests, ${name}`.padEnd(32, '.')).toString('base64');
const services = {
  gateway: secretOf('gateway'),
  orders: secretOf('orders'),
  'auth-stepup': secretOf('auth-stepup'),
  transfers: secretOf('transfers'),
  notifier: secretOf('notifier'),
};

/** Returns this service's identity in tests. */
export const testService = (name: ServiceName): ServiceIdentity => ({ name, secret: services[name] });
/** Creates a stack's secrets: new secrets for the services' data, and the tests' fixed secrets for the services. */
export const testSecrets = (): Secrets => ({ ...newSecrets(), services });
/** The setting `CALLER_SECRETS` for a server that responds to every service. */
export const testCallerSecrets: string = Object.entries(services)
  .map(([name, secret]) => `${name}:${secret}`)
  .join(',');
/** Returns the settings with which a service can call other services and be called by them. */
export const testServiceSettings = (name: string): Record<string, string> => ({
  SERVICE_SECRET: services[name as ServiceName],
  CALLER_SECRETS: testCallerSecrets,
});
