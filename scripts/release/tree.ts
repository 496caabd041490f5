import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DRIVER } from './driver.ts'
import { type Manifest, removeUnloaded } from './loaded-packages.ts'
import type { Platform } from './platforms.ts'
import { root } from './tarball.ts'
import { npm, run } from './tools.ts'

/** Everything that a machine without Node needs to run the command. */
export interface Tree extends Disposable {
  folder: string
  version: string
  /** A bill of materials in CycloneDX's format: the package, its production dependencies and Node. */
  bill: string
}

/** Installs a tarball with its production dependencies in the versions of the lock file, and puts Node beside them. */
export function installTree(tarball: string, platform: Platform): Tree {
  const folder = mkdtempSync(join(tmpdir(), 'chat-server-tree-'))
  const remove = () => rmSync(folder, { recursive: true })
  try {
    run('tar', ['-xzf', tarball, '--strip-components=1', '-C', folder])
    cpSync(join(root, 'package-lock.json'), join(folder, 'package-lock.json'))
    bringPeers(folder)
    const target = ['--os=linux', `--cpu=${platform.node}`, '--libc=glibc']
    const options = ['--silent', '--omit=dev', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund']
    npm(folder, 'install', ...options, ...target)
    const { version } = manifest(folder)
    const all = npm(folder, 'sbom', '--silent', '--omit=dev', '--sbom-format=cyclonedx')
    const bill = billOf(folder, all, removeUnloaded(folder))
    prune(folder, platform)
    addNode(folder, platform)
    return { folder, version, bill, [Symbol.dispose]: remove }
  } catch (error) {
    remove()
    throw error
  }
}

/**
 * Makes the optional peers dependencies, such as the driver of PostgreSQL. Users of the package bring them, and users of a
 * complete server can't. npm leaves them out even if they are named, because they are for development in the lock file.
 */
function bringPeers(folder: string): void {
  const { peerDependencies, peerDependenciesMeta: _, ...rest } = manifest(folder)
  const names = Object.keys(peerDependencies ?? {})
  const peers = Object.fromEntries(names.map((name) => [name, installedVersion(name)]))
  const all = { ...rest, dependencies: { ...rest.dependencies, ...peers } }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(all, null, 2)}\n`)
}

const manifest = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
const installedVersion = (name: string): string => manifest(join(root, 'node_modules', name)).version

interface Bill {
  components: { 'bom-ref': string; name: string; group?: string; version: string }[]
  dependencies: { ref: string; dependsOn?: string[] }[]
}

/** Returns the bill of what a release has: of all packages the ones that are left, or are in the bundle, and Node. */
function billOf(folder: string, all: string, left: ReadonlySet<string>): string {
  const bill = JSON.parse(all) as Bill
  const licenses = new Set(readFileSync(join(folder, 'dist/bin/LICENSES.txt'), 'utf8').split('\n'))
  const absent = bill.components.filter(({ name, group, version }) => {
    const known = `${group ? `${group}/` : ''}${name} ${version}`
    return !left.has(known) && !licenses.has(known)
  })
  const refs = new Set(absent.map((component) => component['bom-ref']))
  const version = installedVersion('node')
  const purl = `pkg:github/nodejs/node@v${version}`
  const node = {
    type: 'platform',
    'bom-ref': purl,
    name: 'node',
    version,
    purl,
    licenses: [{ license: { id: 'MIT' } }],
  }
  bill.components = [...bill.components.filter((component) => !absent.includes(component)), node]
  bill.dependencies = bill.dependencies
    .filter(({ ref }) => !refs.has(ref))
    .map((one) => ({ ...one, dependsOn: one.dependsOn?.filter((ref) => !refs.has(ref)) ?? [] }))
  return `${JSON.stringify(bill, null, 2)}\n`
}

/** The same modules in the form that Node.js doesn't load from where they are used: ES modules or CommonJS. */
function twins(modules: string): string[] {
  const asn1 = readdirSync(join(modules, '@peculiar')).filter((name) => name.startsWith('asn1-'))
  return [
    '@simplewebauthn/server/script',
    ...asn1.map((name) => `@peculiar/${name}/build/es2015`),
    ...['@peculiar/x509/build/x509.js', '@peculiar/x509/build/x509.es.js'],
    ...['tsyringe/dist/esm5', 'tsyringe/dist/esm2015'],
    ...['highlight.js/es', 'csv-parse/dist', 'nodemailer/dist/cjs', 'katex/dist/katex.mjs', 'katex/dist/katex.min.js'],
    ...['ical.js/dist/ical.min.js', 'ical.js/dist/ical.es5.cjs', 'ical.js/dist/ical.es5.min.cjs'],
    ...['postal-mime/src', 'postal-mime/dist/cjs'],
  ]
}

/** What only web pages use of packages whose functions run in the server. */
const ofPages = [
  ...[
    'highlight.js/styles',
    'highlight.js/scss',
    'katex/src',
    'katex/contrib',
    'katex/dist/fonts',
    'katex/dist/contrib',
  ],
  ...['mjs', 'umd.js', 'min.js'].map((end) => `liquidjs/dist/liquid.browser.${end}`),
]

/** Sources and data of tests. */
const ofDevelopment = ['bintrees/test', 'bintrees/dist', 'sharp/src']

/** Removes files that the command never reads: the library, types, documents, and the driver for other systems. */
function prune(folder: string, platform: Platform): void {
  const driver = `node_modules/${DRIVER}`
  const kept = `linux-${platform.node}.node`
  const others = readdirSync(join(folder, driver, 'prebuilds')).filter((name) => name !== kept)
  if (!readdirSync(join(folder, driver, 'prebuilds')).includes(kept)) throw new Error(`${driver} has no ${kept}`)
  const unused = ['package-lock.json', 'node_modules/.bin', 'node_modules/.package-lock.json', 'dist/src']
  for (const path of [...unused, ...others.map((name) => `${driver}/prebuilds/${name}`)]) {
    rmSync(join(folder, path), { recursive: true })
  }
  for (const path of [...twins(join(folder, 'node_modules')), ...ofPages, ...ofDevelopment])
    rmSync(join(folder, 'node_modules', path), { recursive: true })
  // npm may have replaced the driver by one with sources.
  for (const path of ['deps', 'src', 'binding.gyp'])
    rmSync(join(folder, driver, path), { recursive: true, force: true })
  for (const path of readdirSync(join(folder, 'node_modules'), { recursive: true, encoding: 'utf8' })) {
    if (!/\.(d\.[cm]?ts|map|md|markdown)$|(^|\/)\.\w+$/.test(path) || /license|licence/i.test(path)) continue
    const file = join(folder, 'node_modules', path)
    if (statSync(file).isFile()) rmSync(file)
  }
}

/** Adds Node's program and license, in the version of the repository's own Node. */
function addNode(folder: string, { node, strip }: Platform): void {
  const place = mkdtempSync(join(tmpdir(), 'chat-server-node-'))
  try {
    const name = npm(place, 'pack', '--silent', `node-linux-${node}@${installedVersion('node')}`)
    run('tar', ['-xzf', join(place, name), '-C', place])
    mkdirSync(join(folder, 'bin'))
    cpSync(join(place, 'package/LICENSE'), join(folder, 'bin/LICENSE'))
    // A seventh smaller without debug information.
    run(strip, ['-o', join(folder, 'bin/node'), join(place, 'package/bin/node')])
  } finally {
    rmSync(place, { recursive: true })
  }
}
