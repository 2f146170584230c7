import { expect, test } from '@jest/globals';
import { loadConfig } from '../config/load-config.ts';
import { tracingSettings } from './tracing-settings.ts';

const load = (env: Record<string, string>) => loadConfig(tracingSettings, env);

test('when nothing is set, then nothing is recorded', () => {
  expect(load({})).toEqual({ otlpEndpoint: '', otlpHeaders: [], traceRatio: 1 });
});

test('when headers are set, then their values are decoded', () => {
  const text = 'api-key=a%2Cb%3D, Authorization = Basic%20dXNlcjpwYXNz==';

  expect(load({ OTEL_EXPORTER_OTLP_HEADERS: text }).otlpHeaders).toEqual([
    ['api-key', 'a,b='],
    ['Authorization', 'Basic dXNlcjpwYXNz=='],
  ]);
});

test.each(['canary', '=canary', 'a=canary%', 'a b=canary', 'a=canary%0d%0ax-b: c', 'a=canary%C3%A9', 'a=canary,'])(
  'when the headers are %p, then the error names the setting, and not the value',
  (text) => {
    expect(() => load({ OTEL_EXPORTER_OTLP_HEADERS: text })).toThrow(/OTEL_EXPORTER_OTLP_HEADERS: .*name=value/);
    expect(() => load({ OTEL_EXPORTER_OTLP_HEADERS: text })).not.toThrow(/canary/);
  },
);

test.each(['collector:4318', 'grpc://collector:4317', 'http://collector:4318?key=1', 'not a url'])(
  'when the endpoint is %p, then it is refused',
  (url) => {
    expect(() => load({ OTEL_EXPORTER_OTLP_ENDPOINT: url })).toThrow(/OTEL_EXPORTER_OTLP_ENDPOINT: /);
  },
);

test('when the endpoint has a password, then it is refused, and the error does not repeat it', () => {
  const refused = (): unknown => load({ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://user:canary@collector' });

  expect(refused).toThrow(/OTEL_EXPORTER_OTLP_HEADERS/);
  expect(refused).not.toThrow(/canary/);
});

test.each(['-0.1', '1.1', 'half'])('when the ratio is %p, then it is refused', (ratio) => {
  expect(() => load({ OTEL_TRACES_SAMPLER_ARG: ratio })).toThrow(/OTEL_TRACES_SAMPLER_ARG: /);
});

test('when the file of the headers is missing, then there are none', () => {
  expect(load({ OTEL_EXPORTER_OTLP_HEADERS_FILE: '/nowhere/headers' }).otlpHeaders).toEqual([]);
});

test('when the file of the headers cannot be read, then the error names it', () => {
  expect(() => load({ OTEL_EXPORTER_OTLP_HEADERS_FILE: import.meta.dirname })).toThrow(
    'OTEL_EXPORTER_OTLP_HEADERS_FILE: cannot be read (EISDIR)',
  );
});
