'use strict';

const ui = window.SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#calls',
  deepLinking: true,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  // It would ask a host elsewhere.
  validatorUrl: null,
});

const signIn = document.querySelector('#sign-in');
const signOut = document.querySelector('#sign-out');
const who = document.querySelector('#who');
/** Who is signed in: the page keeps its tokens in memory only. */
let session = null;

async function post(path, body) {
  const answer = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const result = answer.status === 204 ? null : await answer.json();
  if (!answer.ok) throw new Error(result.detail ?? result.title);
  return result;
}

function show(text) {
  who.textContent = text;
  signIn.hidden = session !== null;
  signOut.hidden = session === null;
}

function keep(pair, name) {
  ui.preauthorizeApiKey('accessToken', pair.access_token);
  session = {
    name,
    refreshToken: pair.refresh_token,
    timer: setTimeout(refresh, pair.expires_in * 800),
  };
  show(`Signed in as ${name}: every call below sends your token.`);
}

function forget(text) {
  clearTimeout(session?.timer);
  session = null;
  ui.authActions.logout(['accessToken']);
  show(text);
}

async function refresh() {
  const { name, refreshToken } = session;
  try {
    keep(await post('/auth/refresh', { refresh_token: refreshToken }), name);
  } catch (error) {
    forget(`Your session ended: ${error.message}`);
  }
}

signIn.addEventListener('submit', async (event) => {
  event.preventDefault();
  const { email, password } = Object.fromEntries(new FormData(signIn));
  show('Signing in …');
  try {
    keep(await post('/auth/login', { email, password }), email);
    signIn.reset();
  } catch (error) {
    show(`Not signed in: ${error.message}`);
  }
});

signOut.addEventListener('submit', async (event) => {
  event.preventDefault();
  const { refreshToken } = session;
  forget('Signed out.');
  try {
    await post('/auth/logout', { refresh_token: refreshToken });
  } catch (error) {
    show(`Signed out here; the house was not told: ${error.message}`);
  }
});
