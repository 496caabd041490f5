// Serves behind nginx and Caddy with the configuration in deploy/, and tests everything that a proxy can break.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { checkProxy, type Served } from './checks.ts'
import { findPrograms } from './programs.ts'
import { startCaddy, startNginx } from './start.ts'

const command = fileURLToPath(new URL('../../dist/bin/chat-server.js', import.meta.url))

async function serve(folder: string): Promise<Served & { process: ChildProcess; port: number }> {
  const db = ['--db', join(folder, 'chat.db')]
  const init = ['init', ...db, '--json', '--org', 'Proxied', '--owner-email', 'o@example.com', '--owner-name', 'Owner']
  const { email, api_key } = JSON.parse(execFileSync(process.execPath, [command, ...init], { encoding: 'utf8' }))
  const options = ['--port', '0', '--trust-proxy', '127.0.0.1', '--log-requests', '--max-emoji-file-size-mib', '26']
  const child = spawn(process.execPath, [command, ...db, ...options, '--rate-limit', 'address=20/600'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const entries: { msg: string; path: string; address?: string }[] = []
  createInterface({ input: child.stderr }).on('line', (line) => void entries.push(JSON.parse(line)))
  for await (const line of createInterface({ input: child.stdout })) {
    const port = /^chat-server listening on http:\/\/127\.0\.0\.1:(\d+)$/.exec(line)?.[1]
    if (!port) continue
    const requests = () => entries.filter(({ msg }) => msg === 'request')
    return { credentials: `${email}:${api_key}`, process: child, port: Number(port), requests }
  }
  throw new Error('the server ended before it listened')
}

async function run(programs: { nginx: string; caddy: string }): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'chat-server-proxies-'))
  const running: ChildProcess[] = []
  const place = (name: string) => {
    mkdirSync(join(folder, name))
    return join(folder, name)
  }
  const started = <T extends { process: ChildProcess }>(one: T): T => {
    running.push(one.process)
    return one
  }
  try {
    // Each proxy gets its own server, so that they don't share limits and event queues.
    const tried = [
      { start: startNginx, program: programs.nginx, name: 'nginx' },
      { start: startCaddy, program: programs.caddy, name: 'caddy' },
    ].map(async ({ start, program, name }) => {
      const served = started(await serve(place(`${name}-server`)))
      const proxy = started(await start(program, place(name), served.port))
      await checkProxy(proxy, served)
      console.log(`ok  ${proxy.name}: addresses, 25 MiB, long polls, event streams, limits by address`)
    })
    const failed = (await Promise.allSettled(tried)).find((outcome) => outcome.status === 'rejected')
    if (failed) throw failed.reason
  } finally {
    for (const child of running) {
      if (child.exitCode !== null) continue
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    rmSync(folder, { recursive: true, force: true })
  }
}

const programs = findPrograms()
if (programs) await run(programs)
else {
  console.log('SKIPPED: nginx and Caddy are not installed, and apt-get cannot fetch them here')
  // In CI, a missing program is a failure.
  if (process.env.CI) process.exitCode = 1
}
