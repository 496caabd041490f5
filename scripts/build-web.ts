// `npm run build:web` builds the web client into dist/web, with compressed forms beside each file. With --if-stale, as
// before `npm start`, it builds only if a source is newer than the result.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { plainScript } from './plain-script.ts'
import { usedOperations } from './used-operations.ts'
import { withoutErrorKinds } from './without-error-kinds.ts'
import { withoutNames } from './without-names.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const built = join(root, 'dist/web')
const shared = [
  'kernel/errors',
  'kernel/roles',
  'users/avatars/drawn-avatar',
  'users/unknown-user',
  'accounts/default-description',
].map((name) => `src/core/${name}.ts`)
const sources = ['web', 'src/client', ...shared, 'package-lock.json']
/** Fonts and pictures are compressed already. */
const COMPRESSIBLE = /\.(html|js|css|svg|json|webmanifest)$/

/** Builds dist/web. Throws if Vite fails. */
export async function buildWeb(): Promise<void> {
  const { build } = await import('vite')
  await build({
    root: join(root, 'web'),
    configFile: join(root, 'web/vite.config.ts'),
    logLevel: 'warn',
    plugins: [usedOperations, withoutErrorKinds, withoutNames, plainScript],
  })
  for (const file of filesIn(built).filter((path) => COMPRESSIBLE.test(path))) {
    const bytes = readFileSync(file)
    for (const [suffix, packed] of [
      ['.br', brotliCompressSync(bytes)] as const,
      ['.gz', gzipSync(bytes, { level: 9 })] as const,
    ]) {
      if (packed.length < bytes.length) writeFileSync(file + suffix, packed)
    }
  }
}

/**
 * Builds dist/web if it is stale. When several processes start together, such as test processes, one builds and the
 * others wait.
 */
export async function buildIfStale(): Promise<void> {
  const folder = join(root, 'node_modules/.cache')
  mkdirSync(folder, { recursive: true })
  // The operating system releases this lock when the process ends, even after a crash.
  const lock = new Database(join(folder, 'build-web.lock'), { timeout: 120_000 })
  try {
    lock.exec('BEGIN EXCLUSIVE')
    if (!isStale()) return
    console.error('building the web client, once …')
    await buildWeb()
  } finally {
    lock.close()
  }
}

/** Returns whether the built client is missing or older than one of its sources. */
function isStale(): boolean {
  const page = join(built, 'index.html')
  if (!existsSync(page)) return true
  const since = statSync(page).mtimeMs
  return sources.some((path) => filesIn(join(root, path)).some((file) => statSync(file).mtimeMs > since))
}

function filesIn(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path]
  const entries = readdirSync(path, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const onlyIfStale = process.argv.includes('--if-stale')
  if (!onlyIfStale) await buildWeb()
  else if (existsSync(join(root, 'node_modules/vite'))) await buildIfStale()
  else console.error('Vite is not installed, so the web client is not built')
}
