import Joi from 'joi';
import { readSource, type AnyDetails, type DetailsRule } from './agreed-details.ts';
import type { AnyEndpoint, ServiceName } from './endpoint.ts';
import { component, object, oneOf, optional, text, yesOrNo, type Shape } from './schema.ts';

/** Creates a schema for an endpoint key, which names the kind of call that a step-up token is valid for. */
export const endpointKey = (): Joi.StringSchema =>
  Joi.string()
    .max(64)
    .pattern(/^[a-z][a-z_.]*$/)
    .messages({ 'string.pattern.base': '{{#label}} must be lower-case words joined by dots or underscores' })
    .example('internal_transfer.create');

/** Returns the schema for an input field in the path, the query or the body. */
function inputSchema({ name: call, params, query, body }: AnyEndpoint, name: string): Joi.AnySchema {
  const schema = params?.[name] ?? query?.[name] ?? body?.extract(name);
  if (!schema) throw new Error(`${call} has no input ${name}`);
  return schema as Joi.AnySchema;
}

/** Returns the schemas of the fields in this call's details, taken from the call's input. */
function membersOf(contract: AnyEndpoint): Shape {
  const entries = Object.entries(contract.stepUp?.details.members ?? {}).map(([name, source]) => {
    const { from, kind } = readSource(source);
    if (kind === 'trueIfGiven') return [name, optional(yesOrNo().valid(true).example(true))] as const;
    const schema = inputSchema(contract, from);
    return [name, kind === 'required' ? schema.required() : optional(schema)] as const;
  });
  return Object.fromEntries(entries);
}

const capitalized = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** Creates the schema for the details that a user authorizes for this call. */
const detailsSchema = (contract: AnyEndpoint): Joi.AnySchema<AnyDetails> =>
  component(
    `${capitalized(contract.name)}Details`,
    object({ type: oneOf(contract.stepUp?.details.type ?? ''), ...membersOf(contract) }),
  ) as Joi.AnySchema as Joi.AnySchema<AnyDetails>;

/** Creates a schema that accepts the details of any of these calls. */
export const anyDetails = (sensitive: readonly AnyEndpoint[]): Joi.AnySchema<AnyDetails> =>
  Joi.alternatives().try(...sensitive.map(detailsSchema));

/** Creates the schema for details in later responses, which may contain any of the fields from any of these calls. */
export const describedDetails = (sensitive: readonly AnyEndpoint[]): Joi.AnySchema<AnyDetails> => {
  const members = Object.fromEntries(sensitive.flatMap((contract) => Object.entries(membersOf(contract))));
  const told = Object.entries(members).map(([name, schema]) => [name, optional(schema)] as const);
  return component(
    'AgreedDetails',
    object({ type: text(64).example('internal_transfer'), ...Object.fromEntries(told) }),
  ) as Joi.AnySchema as Joi.AnySchema<AnyDetails>;
};

/** The properties of a step-up key, as the calls with this key declare them. */
export type StepUpKey = {
  /** The `type` field of the details. */
  type: string;
  /** The rules that compute the details for each call with this key. */
  rules: readonly DetailsRule[];
  /** True if tokens for this key are issued only with details. */
  needsDetails: boolean;
  /** The service that has these calls. No other service can spend their tokens. */
  service: ServiceName;
  /** The roles that may make the calls with this key. */
  who: AnyEndpoint['who'];
};
export function readStepUpKeys(sensitive: readonly AnyEndpoint[]): Map<string, StepUpKey> {
  const keys = new Map<string, StepUpKey>();
  for (const { stepUp, service, who } of sensitive) {
    if (!stepUp) continue;
    const { key, details, required = false } = stepUp;
    const { rules = [], needsDetails = false } = keys.get(key) ?? {};
    keys.set(key, {
      type: details.type,
      rules: [...rules, details],
      needsDetails: needsDetails || required,
      service,
      who,
    });
  }
  return keys;
}
