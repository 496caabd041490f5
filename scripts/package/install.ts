import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { packBuilt } from '../release/tarball.ts'
import { npm } from '../release/tools.ts'
import { commandIn, hasSignals, npmProgram } from './programs.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A project with the package installed from its tarball, as for users. */
export interface Installed extends Disposable {
  folder: string
  /** Runs a program there and returns its output. Throws if it fails. */
  run(command: string, ...args: string[]): string
  /** Writes a module and runs it with the packages there, TypeScript or not. */
  runModule(name: string, text: string): string
  /**
   * Type-checks modules like a strict project with `skipLibCheck: false`. Returns the packages whose declarations were
   * read.
   */
  typecheck(...files: string[]): Set<string>
  /** The same with an older compiler, one of `olderCompilers`. */
  typecheckWith(version: string, ...files: string[]): void
  /** Compiles modules to JavaScript files beside them. */
  compile(...files: string[]): void
}

/** Versions of TypeScript that the declarations must compile with, besides our own. */
export const olderCompilers = ['5.6', '5.9'] as const

/** Packs the package and installs it into an empty project, with our versions of our tools. */
export function install(): Installed {
  const folder = mkdtempSync(join(tmpdir(), 'chat-server-pack-'))
  const at = (cwd: string, command: string, args: string[]) =>
    execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
  // BUILT=1 means that dist is up to date.
  if (process.env.BUILT !== '1') npm(root, 'run', '-s', 'build')
  const tarball = basename(packBuilt(folder))
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const tools = ['@types/node', 'tsx', 'typescript', 'zulip-js'].map((name) => `${name}@${devDependencies[name]}`)
  tools.push(...olderCompilers.map((version) => `typescript-${version}@npm:typescript@${version}`))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const options = ['--no-audit', '--no-fund', '--prefer-offline']
  const [npmScript, ...before] = npmProgram
  const installing = spawnSync(npmScript, [...before, 'install', ...options, `./${tarball}`, ...tools], {
    cwd: folder,
    encoding: 'utf8',
  })
  if (installing.status !== 0) throw new Error(`npm install failed:\n${installing.stderr}`)
  if (installing.stderr.includes('EBADENGINE'))
    throw new Error(`npm install warns of the version of Node:\n${installing.stderr}`)
  const tsc = (compiler: string, ...more: string[]) => {
    const options = ['--strict', '--exactOptionalPropertyTypes', '--module', 'nodenext', '--target', 'es2023']
    const types = ['--skipLibCheck', 'false', '--types', 'node', '--lib', 'es2023,esnext.disposable']
    return at(folder, process.execPath, [`node_modules/${compiler}/bin/tsc`, ...options, ...types, ...more])
  }
  const installed: Installed = {
    folder,
    run: (command, ...args) => at(folder, command, args),
    runModule(name, text) {
      writeFileSync(join(folder, name), text)
      return installed.run(process.execPath, '--import', 'tsx', name)
    },
    typecheck(...files) {
      const read = tsc('typescript', '--noEmit', '--listFiles', ...files).matchAll(
        /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/g,
      )
      return new Set([...read].map(([, name]) => name!))
    },
    typecheckWith: (version, ...files) => void tsc(`typescript-${version}`, '--noEmit', ...files),
    compile: (...files) => void tsc('typescript', ...files),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
  return installed
}

export interface Server extends AsyncDisposable {
  process: ChildProcess
  url: string
  /** The output up to the line with its address. */
  output: string
  /** Stops the server. Throws unless it exits with 0. */
  stop(): Promise<void>
}

/** Starts the installed command in `cwd` and waits until it prints that it listens. */
export async function serve(
  { folder, cwd = folder }: Pick<Installed, 'folder'> & { cwd?: string },
  ...args: string[]
): Promise<Server> {
  const [program, ...before] = commandIn(folder)
  const child = spawn(program, [...before, ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  let output = ''
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^chat-server listening on (\S+)$/.exec(line)?.[1]
    output += `${line}\n`
    if (!url) continue
    return {
      process: child,
      url,
      output,
      async stop() {
        child.kill('SIGTERM')
        const [code] = await ended
        if (code !== 0 && hasSignals) throw new Error(`the server ended with ${code}`)
      },
      async [Symbol.asyncDispose]() {
        child.kill('SIGKILL')
        await ended
      },
    }
  }
  throw new Error(`the server ended before it listened:\n${output}`)
}
