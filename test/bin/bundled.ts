import { createHash } from 'node:crypto'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundle } from '../../scripts/build.ts'
import { TemporaryFolder } from '../temporary-folder.ts'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
/** Below node_modules, where the bundle finds its packages. */
const cache = join(root, 'node_modules/.cache/chat-server-bin')
const DAY_MS = 86_400_000

/**
 * The folder of the command as it is published. It is bundled once for each state of the sources, however many test
 * processes ask for it.
 */
export async function bundledCommand(): Promise<string> {
  const folder = join(cache, fingerprint())
  if (existsSync(folder)) return folder
  mkdirSync(cache, { recursive: true })
  const made = mkdtempSync(join(cache, 'new-'))
  await bundle(join(made, 'bin'))
  copyFileSync(join(root, 'package.json'), join(made, 'package.json'))
  try {
    renameSync(made, folder)
  } catch (error) {
    // Another test process was faster.
    if (!existsSync(folder)) throw error
    rmSync(made, { recursive: true })
  }
  const former = readdirSync(cache).map((name) => join(cache, name))
  // Newer ones may be in use by tests that started before the sources changed.
  for (const one of former) {
    const { mtimeMs = Number.POSITIVE_INFINITY } = statSync(one, { throwIfNoEntry: false }) ?? {}
    if (Date.now() - mtimeMs > DAY_MS) rmSync(one, { recursive: true, force: true })
  }
  return folder
}

/** A copy of the command for one test, which may put packages of its own into `node_modules` beside it. */
export async function copyOfCommand(): Promise<Disposable & { path: string; file: string }> {
  const folder = new TemporaryFolder(cache)
  cpSync(await bundledCommand(), folder.path, { recursive: true })
  const path = join(folder.path, 'bin')
  return { path, file: join(path, 'chat-server.js'), [Symbol.dispose]: () => folder[Symbol.dispose]() }
}

/** Changes with everything that the bundle is made of. */
function fingerprint(): string {
  const sources = ['bin', 'src'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  )
  const others = ['package.json', 'package-lock.json', 'scripts/build.ts'].map((name) => join(root, name))
  const hash = createHash('sha256')
  for (const file of [...sources.sort(), ...others]) hash.update(file).update('\0').update(readFileSync(file))
  return hash.digest('hex').slice(0, 16)
}
