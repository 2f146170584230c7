import { problemsOf } from '@comanda/contracts/endpoint';
import { problemSchema } from '@comanda/contracts/problem-members';
import { problems, type ProblemCode } from '@comanda/contracts/problems';
import { endpoints } from '@comanda/contracts/registry';
import { describe, exampleOf } from '@comanda/shared/api-docs/json-schema';
import { addressInDocs } from '@comanda/shared/api-docs/openapi';

export const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(problems, code);

const callsOf = (code: ProblemCode) => endpoints.filter((contract) => problemsOf(contract).includes(code));

/** Returns the facts about a problem, which programs get as JSON. */
export const problemFacts = (code: ProblemCode) => ({
  type: `/problems/${code}`,
  code,
  ...problems[code],
  calls: callsOf(code).map(({ method, path }) => `${method} ${path}`),
  media_type: 'application/problem+json',
  example: exampleOf(describe(problemSchema(code))),
});

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const withCode = (text: string): string => escape(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');

/** The longest list of calls that is shown expanded. A longer list starts collapsed. */
const maxOpenCalls = 8;

function callList(code: ProblemCode): string {
  const calls = callsOf(code);
  if (calls.length === 0) return '<p>The gateway itself, whatever is called.</p>';
  const lines = calls.map((contract) => {
    const { method, path, summary } = contract;
    return `<li><a href="${escape(addressInDocs(contract))}"><code>${method} ${escape(path)}</code></a>: ${withCode(summary)}</li>`;
  });
  const all = `<ul>${lines.join('')}</ul>`;
  return calls.length > maxOpenCalls ? `<details><summary>${calls.length} calls</summary>${all}</details>` : all;
}

/** Returns an HTML page with the facts about a problem. */
export function problemPage(code: ProblemCode): string {
  const { title, status, about, next, example } = problemFacts(code);
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${escape(title)}: Comanda</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="/docs/docs.css" />
  </head>
  <body>
    <article>
      <p class="code"><code>${code}</code>, HTTP ${status}</p>
      <h1>${escape(title)}</h1>
      <h2>What happened</h2>
      <p>${withCode(about)}</p>
      <h2>What to do</h2>
      <p class="next">${withCode(next)}</p>
      <h2>Which calls answer it</h2>
      ${callList(code)}
      <h2>Example</h2>
      <pre>${escape(JSON.stringify(example, null, 2))}</pre>
      <p><a href="/docs#tag/handle-errors">Handle errors</a> · <a href="/docs">API documentation</a></p>
    </article>
  </body>
</html>
`;
}
