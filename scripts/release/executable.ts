// `npm run build:executable -- FILE` makes the single executable: Node.js with the command, the SQLite driver and the
// web client inside, for the system and the processor that it is built on.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import * as esbuild from 'esbuild'
import { buildListsLate, workerEntries } from '../build.ts'
import { buildIfStale } from '../build-web.ts'
import { licenseTexts } from '../licenses.ts'
import { ADDON_ASSET, LATE_PACKAGES, PACKAGE_ASSETS, WEB_ASSETS, WORKER_ASSETS } from './executable/assets.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const own = (name: string) => join(root, 'scripts/release/executable', name)
const postject = join(root, 'node_modules/postject/dist/cli.js')
const driver = join(root, 'node_modules/better-sqlite3')

/** Modules that find files beside the code, and their replacements in `executable/`. */
const replaced: Readonly<Record<string, string>> = {
  'src/core/files/images/sharp-package.ts': 'sharp-package.ts',
  'src/core/markup/packages.ts': 'markup-packages.ts',
  'src/http/version.ts': 'version.ts',
  'src/http/web/built-files.ts': 'built-files.ts',
  'src/storage/postgres/pg-package.ts': 'pg-package.ts',
}

const { resolve: resolvePackage } = createRequire(import.meta.url)
const latePackages = LATE_PACKAGES.map((name) => [`${PACKAGE_ASSETS}${name}`, resolvePackage(name)] as const)

/** Output is shown only after a failure, since postject warns about every note in Node's binary. */
const quietly = { stdio: 'pipe' } as const

/** The marker in Node's binary that says whether it contains a program. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

/**
 * Builds the single executable, and the web client if it is older than its sources.
 *
 * @returns the license texts of the packages in it, without Node's
 * @throws Error on systems other than Linux, or if a module to replace is not in the program
 */
export async function buildExecutable(outFile: string): Promise<string> {
  if (process.platform !== 'linux') throw new Error('the single executable is built on Linux, for Linux')
  await buildIfStale()
  const folder = mkdtempSync(join(tmpdir(), 'chat-server-executable-'))
  try {
    const bundled = await bundleInto(folder)
    const blob = makeBlob(folder)
    mkdirSync(dirname(resolve(outFile)), { recursive: true })
    const unfinished = `${outFile}.unfinished`
    copyFileSync(process.execPath, unfinished)
    chmodSync(unfinished, 0o755)
    // Debug information is a fifth of the file.
    execFileSync('strip', [unfinished])
    execFileSync(process.execPath, [postject, unfinished, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', FUSE], quietly)
    renameSync(unfinished, outFile)
    const ofPage = readFileSync(join(root, 'dist/web/web/licenses.md'), 'utf8')
    return `${licenseTexts([...bundled, relative(root, driver)])}\n${ofPage}`
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * Bundles the program, its workers and the packages that it loads late as single files. Returns their source files.
 */
async function bundleInto(folder: string): Promise<string[]> {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const { metafile } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: { 'chat-server': own('main.ts'), ...workerEntries(), ...Object.fromEntries(latePackages) },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: `node${process.versions.node}`,
    outdir: folder,
    define: { 'import.meta.url': '"file:///"', PACKAGE_VERSION: JSON.stringify(version) },
    plugins: [replacements, buildListsLate],
    logLevel: 'warning',
    metafile: true,
  })
  const inputs = Object.keys(metafile.inputs)
  for (const path of Object.keys(replaced)) {
    if (inputs.includes(path)) throw new Error(`${path} is in the executable, and not what replaces it`)
  }
  for (const file of [...Object.values(replaced), 'addon.ts', 'worker-threads.ts']) {
    if (!inputs.includes(relative(root, own(file)))) throw new Error(`nothing in the executable uses ${file}`)
  }
  return inputs
}

const replacements: esbuild.Plugin = {
  name: 'executable',
  setup(build) {
    build.onResolve({ filter: /^\.{1,2}\// }, ({ path, resolveDir }) => {
      const file = replaced[relative(root, resolve(resolveDir, path))]
      return file === undefined ? undefined : { path: own(file) }
    })
    build.onResolve({ filter: /^node:worker_threads$/ }, ({ importer }) =>
      importer === own('worker-threads.ts') ? { external: true } : { path: own('worker-threads.ts') },
    )
    // The driver's entry for one platform doesn't search for its native addon.
    build.onResolve({ filter: /^better-sqlite3$/ }, () => ({ path: join(driver, `lib/linux-${process.arch}.js`) }))
    build.onResolve({ filter: /\.node$/ }, () => ({ path: 'addon', namespace: 'addon' }))
    build.onLoad({ filter: /^addon$/, namespace: 'addon' }, () => ({
      contents: `module.exports = require(${JSON.stringify(own('addon.ts'))}).loadAddon()`,
      resolveDir: root,
    }))
  },
}

/** Builds the blob for Node's binary: the compiled program and the assets. */
function makeBlob(folder: string): string {
  const blob = join(folder, 'blob')
  const web = join(root, 'dist/web')
  const webNames = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(web, name)).isFile(),
  )
  const assets = {
    [ADDON_ASSET]: join(driver, `prebuilds/linux-${process.arch}.node`),
    ...Object.fromEntries(webNames.map((name) => [WEB_ASSETS + name, join(web, name)])),
    ...Object.fromEntries(latePackages.map(([name]) => [name, join(folder, `${name}.js`)])),
    ...Object.fromEntries(
      Object.keys(workerEntries()).map((name) => [`${WORKER_ASSETS}${name}.js`, join(folder, `${name}.js`)]),
    ),
  }
  // Stack traces show this name, so it must not be the path of a temporary folder.
  const main = 'chat-server.js'
  const config = { main, output: blob, disableExperimentalSEAWarning: true, useCodeCache: true, assets }
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config))
  execFileSync(process.execPath, ['--experimental-sea-config', 'config.json'], { ...quietly, cwd: folder })
  return blob
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [outFile] = process.argv.slice(2)
  if (outFile === undefined) throw new Error('usage: npm run build:executable -- FILE')
  const began = performance.now()
  await buildExecutable(outFile)
  const mib = (statSync(outFile).size / 2 ** 20).toFixed(1)
  console.log(`built ${outFile}, ${mib} MiB, in ${Math.round(performance.now() - began)} ms`)
}
