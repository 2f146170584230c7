import { expect, test } from '@jest/globals';
import { loadConfig } from '../config/load-config.ts';
import { tracingSettings } from './tracing-settings.ts';

const load = (env: Record<string, string>) => loadConfig(tracingSettings, env);

test('no traces are recorded by default', () => {
  expect(load({})).toEqual({ otlpEndpoint: '', otlpHeaders: [], traceRatio: 1 });
});

test('encoded header values are decoded', () => {
  const text = 'api-key=a%2Cb%3D, Authorization = Basic%20dXNlcjpwYXNz==';

  expect(load({ OTEL_EXPORTER_OTLP_HEADERS: text }).otlpHeaders).toEqual([
    ['api-key', 'a,b='],
    ['Authorization', 'Basic dXNlcjpwYXNz=='],
  ]);
});

test.each(['canary', '=canary', 'a=canary%', 'a b=canary', 'a=canary%0d%0ax-b: c', 'a=canary%C3%A9', 'a=canary,'])(
  'the error for the headers %p hides their value',
  (text) => {
    expect(() => load({ OTEL_EXPORTER_OTLP_HEADERS: text })).toThrow(/OTEL_EXPORTER_OTLP_HEADERS: .*name=value/);
    expect(() => load({ OTEL_EXPORTER_OTLP_HEADERS: text })).not.toThrow(/canary/);
  },
);

test.each(['collector:4318', 'grpc://collector:4317', 'http://collector:4318?key=1', 'not a url'])(
  'the endpoint %p is rejected',
  (url) => {
    expect(() => load({ OTEL_EXPORTER_OTLP_ENDPOINT: url })).toThrow(/OTEL_EXPORTER_OTLP_ENDPOINT: /);
  },
);

test('an endpoint that contains a password is rejected without showing it', () => {
  const refused = (): unknown => load({ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://user:canary@collector' });

  expect(refused).toThrow(/OTEL_EXPORTER_OTLP_HEADERS/);
  expect(refused).not.toThrow(/canary/);
});

test.each(['-0.1', '1.1', 'half'])('the ratio %p is rejected', (ratio) => {
  expect(() => load({ OTEL_TRACES_SAMPLER_ARG: ratio })).toThrow(/OTEL_TRACES_SAMPLER_ARG: /);
});

test('there are no headers if the file for them is missing', () => {
  expect(load({ OTEL_EXPORTER_OTLP_HEADERS_FILE: '/nowhere/headers' }).otlpHeaders).toEqual([]);
});

test("the error names a headers file that can't be read", () => {
  expect(() => load({ OTEL_EXPORTER_OTLP_HEADERS_FILE: import.meta.dirname })).toThrow(
    'OTEL_EXPORTER_OTLP_HEADERS_FILE: cannot be read (EISDIR)',
  );
});
