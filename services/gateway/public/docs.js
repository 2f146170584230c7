'use strict';

const ui = window.SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#calls',
  deepLinking: true,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  // The validator is a service on another host.
  validatorUrl: null,
});

const signIn = document.querySelector('#sign-in');
const signOut = document.querySelector('#sign-out');
const statusOutput = document.querySelector('#who');
/** The signed-in user, with tokens that this page keeps in memory only. */
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

function showStatus(text) {
  statusOutput.textContent = text;
  signIn.hidden = session !== null;
  signOut.hidden = session === null;
}

function startSession(tokens, name) {
  ui.preauthorizeApiKey('accessToken', tokens.access_token);
  session = {
    name,
    refreshToken: tokens.refresh_token,
    timer: setTimeout(refresh, tokens.expires_in * 800),
  };
  showStatus(`Signed in as ${name}: every request below sends your token.`);
}

function endSession(text) {
  clearTimeout(session?.timer);
  session = null;
  ui.authActions.logout(['accessToken']);
  showStatus(text);
}

async function refresh() {
  const { name, refreshToken } = session;
  try {
    startSession(await post('/auth/refresh', { refresh_token: refreshToken }), name);
  } catch (error) {
    endSession(`Your session ended: ${error.message}`);
  }
}

signIn.addEventListener('submit', async (event) => {
  event.preventDefault();
  const { email, password } = Object.fromEntries(new FormData(signIn));
  showStatus('Signing in …');
  try {
    startSession(await post('/auth/login', { email, password }), email);
    signIn.reset();
  } catch (error) {
    showStatus(`Not signed in: ${error.message}`);
  }
});

signOut.addEventListener('submit', async (event) => {
  event.preventDefault();
  const { refreshToken } = session;
  endSession('Signed out.');
  try {
    await post('/auth/logout', { refresh_token: refreshToken });
  } catch (error) {
    showStatus(`Signed out here. The server could not end the session: ${error.message}`);
  }
});
