// `npm run build` makes dist/:
// - dist/src has the library file by file, with its types.
// - dist/bin has the command, bundled into a few files because reading hundreds of small ones took half of each start.
// - dist/web has the web client. With --if-stale, it is kept if no source is newer.
//
// `npm run bench:build` compiles the benchmarks.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import * as esbuild from 'esbuild'
import { buildIfStale, buildWeb } from './build-web.ts'
import { licenseTexts } from './licenses.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Packages to bundle: the ones that every start needs, and their dependencies. Other packages stay external, so a new
 * one is never bundled unnoticed.
 */
const bundled: ReadonlySet<string> = new Set([
  ...['commander', 'entities', 'h3', 'kysely', 'modern-tar', 're2js', 'rou3', 'srvx', 'url-template', 'valibot'],
  ...['listhen', 'consola', 'defu', 'get-port-please', 'http-shutdown', 'pathe', 'std-env', 'uqr'],
  ...['pino', '@pinojs/redact', 'atomic-sleep', 'on-exit-leak-free', 'pino-std-serializers', 'quick-format-unescaped'],
  ...['safe-stable-stringify', 'sonic-boom', 'thread-stream'],
])

/**
 * Packages that listhen loads for features that `listenOn` switches off: certificates, tunnels, the clipboard,
 * watching files.
 */
const unused = /^(node-forge|untun|tinyclip|jiti|crossws|@parcel\/watcher-wasm)(\/|$)/

const leaveOutUnused: esbuild.Plugin = {
  name: 'leave-out-unused',
  setup(build) {
    build.onResolve({ filter: unused }, ({ path }) => ({ path, namespace: 'unused', sideEffects: false }))
    build.onLoad({ filter: /.*/, namespace: 'unused' }, () => ({ contents: 'module.exports = {}' }))
  },
}

/** Turns a list in a JSON file into an iterable that is built when it is first read. Most starts never read it. */
export const buildListsLate: esbuild.Plugin = {
  name: 'build-lists-late',
  setup(build) {
    build.onLoad({ filter: /\/src\/.*\.json$/ }, ({ path }) => ({
      contents: `export default { *[Symbol.iterator]() { yield* ${readFileSync(path, 'utf8')} } }`,
    }))
  },
}

/** Compiles with a tsconfig; `more` is passed to tsc unchanged. */
export function compile(project: string, ...more: string[]): void {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [tsc, '-p', join(root, project), ...more], { stdio: 'inherit' })
}

/**
 * Returns the entry points of threads. Their files are named `*-worker.js` and started as `new Worker(new
 * URL('./name-worker.js', import.meta.url))`. That address works in the source, in dist/src, and in dist/bin, where
 * each file is an entry of its own.
 */
export function workerEntries(): Record<string, string> {
  const files = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
  const workers = files.filter((file) => file.isFile() && file.name.endsWith('-worker.js'))
  return Object.fromEntries(workers.map((file) => [basename(file.name, '.js'), join(file.parentPath, file.name)]))
}

/** Bundles the command and its workers, with their licenses, into a folder from which the external packages can be resolved. */
export async function bundle(outdir: string): Promise<void> {
  const { dependencies, optionalDependencies, peerDependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  ) as PackageFile
  const { metafile } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: { 'chat-server': 'bin/chat-server.ts', ...workerEntries() },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node22.14',
    outdir,
    external: Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }).filter(
      (name) => !bundled.has(name),
    ),
    // Names are kept for readable stack traces in logs.
    minifyWhitespace: true,
    minifySyntax: true,
    // For the bundled packages that are CommonJS.
    banner: { js: "import{createRequire as requireOf}from'node:module';const require=requireOf(import.meta.url);" },
    plugins: [leaveOutUnused, buildListsLate],
    logLevel: 'warning',
    metafile: true,
  })
  const packages = Object.keys(metafile.inputs).flatMap(
    (file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? [],
  )
  const unlisted = new Set(packages.filter((name) => !bundled.has(name)))
  if (unlisted.size > 0) throw new Error(`put into the bundle without being listed: ${[...unlisted].join(', ')}`)
  for (const name of Object.keys(metafile.outputs)) escapeNonAscii(join(root, name))
  writeFileSync(join(outdir, 'LICENSES.txt'), licenseTexts(Object.keys(metafile.inputs)))
}

/** Escapes what esbuild leaves in regular expressions: one other character makes V8 keep two bytes for each of a file. */
function escapeNonAscii(file: string): void {
  const text = readFileSync(file, 'utf8')
  const escaped = text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  if (escaped !== text) writeFileSync(file, escaped)
}

interface PackageFile {
  dependencies: Record<string, string>
  optionalDependencies: Record<string, string>
  peerDependencies: Record<string, string>
}

/** Writes what the bundled command puts in the place of a missing database. */
async function writeEmptyDatabase(folder: string): Promise<void> {
  const { openStore } = await import('../src/storage/index.ts')
  const { EMPTY_DATABASE } = await import('../src/storage/sqlite/file/empty-database.ts')
  const store = await openStore({ file: ':memory:' })
  writeFileSync(join(folder, EMPTY_DATABASE), gzipSync(await store.image(), { level: 9 }))
  await store.close()
}

async function build(): Promise<void> {
  const dist = join(root, 'dist')
  const keepsWeb = process.argv.includes('--if-stale')
  for (const name of existsSync(dist) ? readdirSync(dist) : [])
    if (!(keepsWeb && name === 'web')) rmSync(join(dist, name), { recursive: true, force: true })
  compile('tsconfig.build.json')
  const { entryPoints, rewriteDeclarations } = await import('./declarations.ts')
  const { pruneDeclarations } = await import('./prune-declarations.ts')
  await rewriteDeclarations(join(dist, 'src'))
  pruneDeclarations(join(dist, 'src'), entryPoints())
  // Compiling the command only checked its types. The bundle replaces the compiled files.
  rmSync(join(dist, 'bin'), { recursive: true })
  await bundle(join(dist, 'bin'))
  await writeEmptyDatabase(join(dist, 'bin'))
  await (keepsWeb ? buildIfStale() : buildWeb())
}

const targets: Readonly<Record<string, () => void | Promise<void>>> = {
  dist: build,
  // `npm run typecheck` checks its types.
  bench: () => compile('tsconfig.bench.json', '--noCheck'),
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const name = process.argv.slice(2).find((arg) => !arg.startsWith('--')) ?? 'dist'
  const target = targets[name]
  if (!target) throw new Error(`no target ${name}; there are ${Object.keys(targets).join(', ')}`)
  const began = performance.now()
  await target()
  console.log(`built ${name} in ${Math.round(performance.now() - began)} ms`)
}
