// Measures how many step-up tokens per second are issued for correct PINs to four callers over HTTP, compared with plain native
// bcrypt at the same cost. Also measures the response time of /livez during these calls.
import { measureHashing, startAuthStepupBench } from './auth-stepup/service.ts';

const bench = await startAuthStepupBench();
const users = await bench.createUsers(8);
for (const { token } of users)
  await bench.post('/security/transaction-password', {
    token,
    body: { transaction_password: '739152', confirmation: '739152' },
    expect: 201,
  });
await measureHashing({
  name: 'pin-check',
  what: 'step-up tokens for right PINs, four callers through HTTP, bcryptjs at cost 12',
  url: bench.url,
  call: async (index) => {
    const token = users[index % users.length]?.token ?? '';
    const body = { endpoint_key: 'internal_transfer.create', transaction_password: '739152' };
    await bench.post('/security/step-up', { token, body, expect: 201 });
  },
});
await bench.stop();
