import { type ChildProcessByStdio, execFileSync, spawn, spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'

const packages = fileURLToPath(new URL('../../node_modules', import.meta.url))

/** A system with the C library, /proc, an empty /tmp and one program: no shell, no Node.js, no npm. */
export interface CleanRoot extends Disposable {
  readonly folder: string
  /** Runs the program to its end. */
  run(args: readonly string[], options?: RunOptions): { status: number | null; output: string }
  /** Starts the program, whose process id is the child's. */
  start(args: readonly string[]): ChildProcessByStdio<null, Readable, Readable>
  /** Copies a package of this repository and everything it needs into the `node_modules` beside the program. */
  addPackage(name: string): void
}

export interface RunOptions {
  env?: Readonly<Record<string, string>>
  /** How /tmp is mounted, such as `noexec` or `ro`. */
  tmp?: string
}

/** The folder of the program. */
const HOME = '/opt/chat'

/** Makes such a system from the libraries of this one. It needs root, or user namespaces. */
export function cleanRoot(program: string): CleanRoot {
  const folder = mkdtempSync(join(tmpdir(), 'chat-server-root-'))
  for (const path of [HOME, '/data', '/proc', '/tmp']) mkdirSync(join(folder, path), { recursive: true })
  const place = (from: string, to = from) => {
    mkdirSync(dirname(join(folder, to)), { recursive: true })
    copyFileSync(from, join(folder, to))
  }
  const command = `${HOME}/chat-server`
  place(program, command)
  const placeLibraries = (file: string) => {
    const found = execFileSync('ldd', [file], { encoding: 'utf8' }).matchAll(/(\/\S+) \(/g)
    for (const [, path] of found) if (!path!.startsWith(packages)) place(path!)
  }
  placeLibraries(program)
  const enter = (args: readonly string[], tmp?: string) => {
    const mountTmp = tmp === undefined ? '' : `mount -t tmpfs -o ${tmp} tmpfs "$0/tmp" && `
    const script = `mount --rbind /proc "$0/proc" && ${mountTmp}exec chroot "$0" ${command} "$@"`
    const user = process.getuid?.() === 0 ? [] : ['--map-root-user']
    return [...user, '--mount', 'sh', '-c', script, folder, ...args]
  }
  const added = new Set<string>()
  return {
    folder,
    run(args, { env = {}, tmp } = {}) {
      const options = { encoding: 'utf8', env: { PATH: process.env.PATH, ...env } } as const
      const { status, stdout, stderr } = spawnSync('unshare', enter(args, tmp), options)
      return { status, output: stdout + stderr }
    },
    start: (args) =>
      spawn('unshare', enter(args), { stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: process.env.PATH } }),
    addPackage: function add(name) {
      const from = join(packages, name)
      if (added.has(name) || !existsSync(from)) return
      added.add(name)
      const to = join(folder, HOME, 'node_modules', name)
      mkdirSync(dirname(to), { recursive: true })
      cpSync(from, to, { recursive: true })
      const files = readdirSync(from, { recursive: true, encoding: 'utf8' })
      for (const file of files.filter((path) => /\.(node|so[.\d]*)$/.test(path))) placeLibraries(join(from, file))
      const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'))
      for (const other of Object.keys({ ...dependencies, ...optionalDependencies })) add(other)
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  }
}
