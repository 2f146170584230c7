import type { IncomingMessage, ServerResponse } from 'node:http';

type Options = {
  /** The body of a form that was sent. */
  content: string;
  payCode: (code: string) => string;
  pay: (txid: string) => string;
  /** The charges that nobody has paid. */
  open: readonly { txid: string; amount: string }[];
};

/** Serves the page on which the demo's guests pay: they paste a code, or choose one that is open. */
export function payPage(req: IncomingMessage, res: ServerResponse, { content, payCode, pay, open }: Options): void {
  const form = new URLSearchParams(content);
  let message = '';
  if (req.method === 'POST') {
    const [code, txid] = [form.get('code'), form.get('txid')];
    try {
      message = `Paid: ${txid === null ? payCode(code ?? '') : pay(txid)}`;
    } catch (error) {
      message = (error as Error).message;
    }
  }
  const paid = form.get('txid');
  const rows = open
    .filter(({ txid }) => txid !== paid)
    .map(
      ({ txid, amount }) =>
        `<li><form method="post" action="/pay"><input type="hidden" name="txid" value="${escape(txid)}">` +
        `<button>Pay R$ ${escape(amount)}</button></form></li>`,
    );
  res.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
  res.end(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Demo bank</title>
<style>
body { font: 1rem system-ui; max-width: 32rem; margin: 2rem auto; padding: 0 1rem }
textarea { width: 100%; font: inherit }
button { font: inherit; padding: 0.5rem 1rem; margin: 0.25rem 0 }
ul { list-style: none; padding: 0 }
</style>
<h1>Demo bank</h1>
<p>Here you pay Pix codes of the demo. No money moves.</p>
<p role="status">${escape(message)}</p>
<form method="post" action="/pay">
<label>Pix code<textarea name="code" rows="4" required></textarea></label>
<button>Pay this code</button>
</form>
<h2>Open codes</h2>
<ul>${rows.join('') || '<li>None</li>'}</ul>
</html>
`);
}

const escape = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (character) => `&#${character.codePointAt(0) ?? 0};`);
