import { problemSchema } from '@comanda/contracts/problem-members';
import { problems } from '@comanda/contracts/problems';
import type { ProblemCode } from '@comanda/contracts/problems';
import { describe, exampleOf } from '@comanda/shared/api-docs/json-schema';

export const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(problems, code);

/** What a program can read about a problem. */
export const problemFacts = (code: ProblemCode) => ({
  type: `/problems/${code}`,
  code,
  ...problems[code],
  media_type: 'application/problem+json',
  example: exampleOf(describe(problemSchema(code))),
});

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const withCode = (text: string): string => escape(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');

/** The same facts as an HTML page. */
export function problemPage(code: ProblemCode): string {
  const { title, status, about, example } = problemFacts(code);
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${escape(title)}: Comanda</title>
    <link rel="stylesheet" href="/docs/docs.css" />
  </head>
  <body>
    <article>
      <h1>${escape(title)}</h1>
      <p><code>${code}</code>, HTTP ${status}</p>
      <p>${withCode(about)}</p>
      <h2>Example</h2>
      <pre>${escape(JSON.stringify(example, null, 2))}</pre>
      <p><a href="/docs">API documentation</a></p>
    </article>
  </body>
</html>
`;
}
