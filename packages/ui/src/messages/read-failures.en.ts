export const en = {
  unreachable: ['No connection.', 'The server didn’t respond. Check the Wi-Fi and try again.'],
  unreachableUnknown: ['No reply.', 'It may or may not have gone through. Try again: it only counts once.'],
  inBetween: [
    'Something between this device and the server responded with error {status}.',
    'Try again in a moment. If it happens again, report this number.',
  ],
  networkSignIn: [
    'The network responded instead of the restaurant.',
    'It may want you to sign in first: open its sign-in page, or use another network. Then try again.',
  ],
  rate_limited: ['Too many attempts.', 'Nothing was changed. Wait a minute, then try again.'],
  service: ['Part of the system isn’t responding.', 'Try again in a moment.'],
  other: ['This couldn’t be done.', 'Nothing was changed. Try again, or ask the staff.'],
};
