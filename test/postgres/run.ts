/** Runs the tests on PostgreSQL: `npm run test:postgres [part of a path]...`; on the server at DATABASE_URL, if given. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { startPostgres } from './server.ts'

const given = process.env.DATABASE_URL
const server = given ? undefined : await startPostgres()
const preload = new URL('./preload.js', import.meta.url).href
const tests = spawn(process.execPath, ['test/run.js', ...process.argv.slice(2), `--import=${preload}`], {
  stdio: 'inherit',
  env: { ...process.env, DATABASE_URL: given ?? server!.url },
})
// Who ends this program means the tests; the server ends after them.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => tests.kill(signal))
const [code] = await once(tests, 'exit')
await server?.[Symbol.asyncDispose]()
process.exit(code ?? 1)
