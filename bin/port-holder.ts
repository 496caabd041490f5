import { execFile } from 'node:child_process'
import { readdir, readFile, readlink } from 'node:fs/promises'
import { promisify } from 'node:util'

const LISTENING = '0A'

/**
 * Returns the program that listens on a port of this machine, such as `nginx (process 812)`; undefined if it is
 * hidden.
 */
export async function holderOf(port: number): Promise<string | undefined> {
  try {
    return process.platform === 'linux' ? await fromProc(port) : await fromLsof(port)
  } catch {
    return undefined
  }
}

async function fromProc(port: number): Promise<string | undefined> {
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')))
  const hex = port.toString(16).toUpperCase().padStart(4, '0')
  const sockets = new Set(
    tables
      .flatMap((table) => table.trim().split('\n').slice(1))
      .map((row) => row.trim().split(/\s+/))
      .filter(([, local, , state]) => state === LISTENING && local?.endsWith(`:${hex}`))
      .map((cells) => `socket:[${cells[9]}]`),
  )
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const files = await readdir(`/proc/${pid}/fd`).catch(() => [])
    for (const file of files) {
      if (!sockets.has(await readlink(`/proc/${pid}/fd/${file}`).catch(() => ''))) continue
      return `${(await readFile(`/proc/${pid}/comm`, 'utf8')).trim()} (process ${pid})`
    }
  }
  return undefined
}

async function fromLsof(port: number): Promise<string | undefined> {
  const { stdout } = await promisify(execFile)('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc'])
  const [, pid] = /^p(\d+)$/m.exec(stdout) ?? []
  const [, name] = /^c(.+)$/m.exec(stdout) ?? []
  return pid && name ? `${name} (process ${pid})` : undefined
}
