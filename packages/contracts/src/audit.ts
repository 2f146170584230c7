import { role } from './actor.ts';
import { endpoint, manager, roles } from './endpoint.ts';
import { auditDays } from './rules.ts';
import {
  component,
  id,
  list,
  nullable,
  object,
  oneOf,
  optional,
  pagesByNumber,
  pagesByTimeOfEvents,
  tableName,
  text,
  time,
  type Infer,
} from './schema.ts';
import { sensitive } from './step-up.ts';
import { describedDetails, endpointKey } from './step-up-keys.ts';

export const securityEvents = endpoint({
  service: 'auth-stepup',
  method: 'GET',
  path: '/security/events',
  name: 'securityEvents',
  who: roles,
  passwordSignIn: 'required',
  summary: 'List the security events of your PIN, tokens and sign-ins, newest first',
  details:
    '`step_up_issued` has the `endpoint_key` that the PIN was entered for and, if given, the `authorization_details`. `step_up_spent` has them too, once the token was used. Its `address` is `service`, because a service spends the token. `jti` identifies the token in both.',
  query: pagesByTimeOfEvents,
  responses: {
    200: {
      about: 'One page',
      body: list(
        component(
          'SecurityEvent',
          object({
            type: text(64).example('signed_in'),
            time: time(),
            address: text(64).example('203.0.113.7'),
            user_agent: text(255).example('Mozilla/5.0'),
            endpoint_key: optional(endpointKey()),
            authorization_details: optional(list(describedDetails(sensitive))),
            jti: optional(text(64).example('0b1f7d5e-4a55-4d0f-8a5b-0d6f1e8f6c11')),
          }),
        ),
      ),
      headers: ['Link'],
    },
  },
  problems: [],
});

export const auditTypes = [
  'user_created',
  'user_invited',
  'invitation_withdrawn',
  'invitation_accepted',
  'role_changed',
  'user_disabled',
  'user_enabled',
  'password_set_by_manager',
  'transaction_password_reset_approved',
  'table_added',
  'table_code_changed',
  'table_removed',
  'signing_key_revoked',
  'transfers_stopped',
  'transfers_resumed',
  'sign_ups_stopped',
  'sign_ups_resumed',
  'tablet_registered',
  'tablet_revoked',
] as const;
export type AuditType = (typeof auditTypes)[number];
const auditDetails = object({
  role: optional(role),
  previous_role: optional(role),
  table: optional(tableName()),
  tablet: optional(text(60).example('Kitchen pass')),
  kid: optional(text(64).example('2026-11-01')),
  reason: optional(text(200).example('The balances are being checked')),
});
export type AuditDetails = Infer<typeof auditDetails>;
export const auditTrail = endpoint({
  service: 'auth-stepup',
  method: 'GET',
  path: '/audit',
  name: 'auditTrail',
  who: manager,
  summary:
    'List the changes of managers and operators to users, tables, tablets and keys, and their stops, newest first',
  details: `Entries are kept for ${auditDays} days. \`actor\` is who did it. An operator, who runs a command on the server, has no id. With \`user_id\`, only entries about that user.`,
  query: { ...pagesByNumber, user_id: optional(id().example(5)) },
  responses: {
    200: {
      about: 'One page',
      body: list(
        component(
          'AuditEntry',
          object({
            id: id(),
            time: time(),
            type: oneOf(...auditTypes),
            actor: object({ id: nullable(id().example(1)), role: oneOf(...roles, 'operator') }),
            user_id: nullable(id().example(5)),
            details: auditDetails,
            address: text(64).example('203.0.113.7'),
          }),
        ),
      ).example([
        {
          id: 71,
          time: '2026-11-20T21:00:00.000Z',
          type: 'role_changed',
          actor: { id: 1, role: 'manager' },
          user_id: 5,
          details: { role: 'waiter', previous_role: 'customer' },
          address: '203.0.113.7',
        },
      ]),
      headers: ['Link'],
    },
  },
  problems: [],
});

export const audit = [securityEvents, auditTrail];
