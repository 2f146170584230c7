'use strict';

const find = (selector) => document.querySelector(selector);
const dialog = find('#sign-in');
const form = find('#sign-in form');

/** The key under which this tab stores its refresh token, so that the user is still signed in after a reload. */
const storageKey = 'comanda.docs.refresh_token';
/** The signed-in user with an access token, or null. */
let session = null;

const settings = {
  // Loads nothing from other hosts, and sends nothing to them.
  agent: { disabled: true },
  mcp: { disabled: true },
  telemetry: false,
  withDefaultFonts: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  // Hides the generated samples, so that only the document's own samples are shown: curl, TypeScript and Python.
  hiddenClients: true,
  hideModels: true,
  hideDarkModeToggle: true,
  documentDownloadType: 'none',
  defaultOpenFirstTag: false,
  theme: 'default',
  authentication: { preferredSecurityScheme: 'accessToken' },
};

async function readJson(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`${path} was answered ${answer.status}`);
  return answer.json();
}

/** The example value in the field for the idempotency key. A request sent with this value gets a new key instead. */
const newKey = 'a-new-key-for-each-request';

/** Returns the OpenAPI document with the guides and an example idempotency key, ready to be shown on this page. */
async function readDocument() {
  const [document, guides] = await Promise.all([readJson('/openapi.json'), readJson('/docs/guides.json')]);
  document.components.parameters.IdempotencyKey.example = newKey;
  document.components.securitySchemes.accessToken.description =
    'Leave this empty to send the token of the user who is signed in at the top of this page.';
  const names = (tags) => tags.map(({ name }) => name);
  return {
    ...document,
    tags: [...guides, ...document.tags],
    'x-tagGroups': [
      { name: 'Guides', tags: names(guides) },
      { name: 'Reference', tags: names(document.tags) },
    ],
  };
}

/** Returns a random key. `randomUUID` can't be used, because browsers offer it only over TLS. */
const randomKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * Adds the signed-in user's token, unless the user entered another one, and a new idempotency key. Requests to other hosts get
 * neither.
 */
function completeRequest({ request: { headers, url } }) {
  if (new URL(url).origin !== location.origin) return;
  const entered = headers.get('authorization')?.replace(/^Bearer\s*/, '');
  if (session && !entered) headers.set('authorization', `Bearer ${session.accessToken}`);
  if (headers.get('idempotency-key') === newKey) headers.set('idempotency-key', randomKey());
}

async function post(path, body) {
  const answer = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const result = answer.status === 204 ? null : await answer.json();
  if (!answer.ok) throw Object.assign(new Error(result.detail ?? result.title), { status: answer.status });
  return result;
}

function showSession(text = '') {
  find('#who').textContent = session ? session.name : text;
  find('#open-sign-in').hidden = session !== null;
  find('#sign-out').hidden = session === null;
}

async function startSession(tokens) {
  sessionStorage.setItem(storageKey, tokens.refresh_token);
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  const name = session?.name ?? (await (await fetch('/auth/me', { headers })).json()).name;
  session = { name, accessToken: tokens.access_token, timer: setTimeout(refresh, tokens.expires_in * 800) };
  showSession();
}

function endSession(text) {
  clearTimeout(session?.timer);
  session = null;
  sessionStorage.removeItem(storageKey);
  showSession(text);
}

async function refresh() {
  try {
    await startSession(await post('/auth/refresh', { refresh_token: sessionStorage.getItem(storageKey) }));
  } catch (error) {
    endSession(`Your session ended: ${error.message}`);
  }
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  find('#failure').textContent = '';
  try {
    await startSession(await post('/auth/login', Object.fromEntries(new FormData(form))));
    form.reset();
    dialog.close();
  } catch (error) {
    find('#failure').textContent = `Not signed in: ${error.message}`;
  }
});
find('#open-sign-in').addEventListener('click', () => dialog.showModal());
find('#cancel').addEventListener('click', () => dialog.close());
find('#sign-out').addEventListener('click', async () => {
  const refreshToken = sessionStorage.getItem(storageKey);
  endSession('Signed out.');
  try {
    await post('/auth/logout', { refresh_token: refreshToken });
  } catch (error) {
    showSession(`Signed out here. The server could not end the session: ${error.message}`);
  }
});

async function start() {
  if (sessionStorage.getItem(storageKey)) void refresh();
  const content = await readDocument();
  window.Scalar.createApiReference('#reference', { ...settings, content, onRequestBuilt: completeRequest });
}
void start();
