import Joi from 'joi';
import { httpUrl, secretSetting, setting, type ConfigOf } from '../config/load-config.ts';

/** Matches valid header names [RFC 9110, 5.6.2]. The second pattern matches the values that Node can send. */
const nameForm = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const valueForm = /^[\u0020-\u007e]*$/;

/** Parses `name=value` pairs that are separated by commas; the values are percent-encoded. @throws if the text is invalid */
const readHeaders = (text: string): (readonly [string, string])[] =>
  text.split(',').map((pair) => {
    const at = pair.indexOf('=');
    const name = pair.slice(0, at).trim();
    const value = decodeURIComponent(pair.slice(at + 1).trim());
    if (at < 0 || !nameForm.test(name) || !valueForm.test(value)) throw new Error('no header');
    return [name, value] as const;
  });

const headers = Joi.string()
  .custom((value: string, rule) => {
    try {
      return readHeaders(value);
    } catch {
      return rule.error('any.invalid');
    }
  })
  .messages({ 'any.invalid': '{{#label}} must be name=value pairs, separated by commas, with percent-encoded values' })
  .default([]) as Joi.AnySchema as Joi.AnySchema<readonly (readonly [string, string])[]>;

/** The tracing settings. OpenTelemetry defines their names and meanings. */
export const tracingSettings = {
  otlpEndpoint: setting(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    httpUrl
      .pattern(/^https?:\/\/[^@?#]+$/)
      .messages({
        'string.pattern.base':
          '{{#label}} must have no user, query or fragment: OTEL_EXPORTER_OTLP_HEADERS is for credentials',
      })
      .allow('')
      .default(''),
    'Base URL of a trace collector for OTLP over HTTP in JSON, such as `http://collector:4318`. Without it, no traces are recorded',
  ),
  otlpHeaders: secretSetting(
    'OTEL_EXPORTER_OTLP_HEADERS',
    headers,
    'Headers of requests to the collector: `name=value`, with percent-encoded values',
  ),
  traceRatio: setting(
    'OTEL_TRACES_SAMPLER_ARG',
    Joi.number().min(0).max(1).default(1),
    'Share of the traces started here that are recorded. A trace started by another service is recorded if that service records it',
  ),
};
export type TracingConfig = ConfigOf<typeof tracingSettings>;
