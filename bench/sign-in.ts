// Measures sign-ins per second by four callers over HTTP, compared with plain native bcrypt at the same cost. Also measures the
// response time of /livez during these calls.
import { measureHashing, startAuthStepupBench } from './auth-stepup/service.ts';

const bench = await startAuthStepupBench();
const users = await bench.createUsers(8);
await measureHashing({
  name: 'sign-in',
  what: 'sign-ins of four callers through HTTP, bcryptjs at cost 12',
  url: bench.url,
  call: async (index) => {
    const { email = '', password = '' } = users[index % users.length] ?? {};
    await bench.post('/auth/login', { body: { email, password }, expect: 200 });
  },
});
await bench.stop();
