// Sign-ins of four callers through HTTP, against native bcrypt at the same cost without anything around it; and how long
// /livez takes meanwhile.
import { measureHashing, startAuthStepupBench } from './auth-stepup/service.ts';

const bench = await startAuthStepupBench();
const people = await bench.people(8);
await measureHashing({
  name: 'sign-in',
  what: 'sign-ins of four callers through HTTP, bcryptjs at cost 12',
  url: bench.url,
  call: async (index) => {
    const { email = '', password = '' } = people[index % people.length] ?? {};
    await bench.post('/auth/login', { body: { email, password }, expect: 200 });
  },
});
await bench.stop();
