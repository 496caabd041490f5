import { type ChildProcess, execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'

/** A server of another kind that is running. */
export interface Running {
  readonly pid: number
  stop(): Promise<void>
}

/** Unpacks Debian packages into a folder and returns it: nothing is installed, no service is started. */
export function unpack(folder: string, packages: readonly string[]): string {
  const root = join(folder, 'root')
  execFileSync('apt-get', ['-qq', 'download', ...packages], { cwd: folder, stdio: ['ignore', 'ignore', 'ignore'] })
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.deb'))) {
    execFileSync('dpkg', ['-x', file, root], { cwd: folder })
  }
  return root
}

/** The server that a process is. It ends with this process. */
export function running(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Running {
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const kill = () => void child.kill(signal)
  process.once('exit', kill)
  return {
    pid: child.pid!,
    stop() {
      process.off('exit', kill)
      kill()
      return ended
    },
  }
}

/** Resolves when something listens on a port of this machine. */
export async function untilOpen(port: number, name: string): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })
    if (isOpen) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`${name} did not start; VERBOSE=1 shows why`)
}
