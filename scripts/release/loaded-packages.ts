import { existsSync, globSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface Manifest {
  readonly name: string
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

/** The name of a package where the bundle imports, requires or resolves one of its modules. */
const LOADED = /(?:\b(?:from|import|resolve)|[\w$]*require[\w$]*)\s*\(?["'`]((?:@[\w.-]+\/)?[\w.-]+)/g

const manifestIn = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/** Returns the folder from which files in `from` load a package; undefined if it isn't installed. */
function resolved(name: string, from: string, root: string): string | undefined {
  const place = join(from, 'node_modules', name)
  if (existsSync(join(place, 'package.json'))) return place
  return from === root ? undefined : resolved(name, dirname(from), root)
}

/** Returns the names of the packages that one package loads. */
function neededBy({ dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta }: Manifest): string[] {
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta?.[name]?.optional)
  const own = Object.keys({ ...dependencies, ...optionalDependencies })
  return [...own, ...peers].filter((name) => !name.startsWith('@types/'))
}

/** Returns the folders of all packages below `node_modules`. */
function installed(folder: string): string[] {
  const patterns = ['**/node_modules/*/package.json', '**/node_modules/@*/*/package.json']
  return globSync(patterns, { cwd: folder }).map((file) => join(folder, dirname(file)))
}

/**
 * Removes the packages that the bundled command doesn't load, because they are part of the bundle or of a feature that
 * it leaves out.
 *
 * @returns the name and version of each package that is left
 */
export function removeUnloaded(folder: string): Set<string> {
  const bundle = join(folder, 'dist/bin')
  const code = readdirSync(bundle)
    .filter((name) => name.endsWith('.js'))
    .map((name) => readFileSync(join(bundle, name), 'utf8'))
    .join('\n')
  const loadedNames = new Set(Array.from(code.matchAll(LOADED), ([, name]) => name!))
  const loaded = new Set<string>()
  const keep = (name: string, from: string): void => {
    const place = resolved(name, from, folder)
    if (!place || loaded.has(place)) return
    loaded.add(place)
    for (const needed of neededBy(manifestIn(place))) keep(needed, place)
  }
  for (const place of installed(folder)) {
    const { name } = manifestIn(place)
    if (place === join(folder, 'node_modules', name) && loadedNames.has(name)) keep(name, folder)
  }
  for (const place of installed(folder))
    if (![...loaded].some((kept) => kept === place || kept.startsWith(`${place}/`)))
      rmSync(place, { recursive: true, force: true })
  return new Set(Array.from(loaded, (place) => `${manifestIn(place).name} ${manifestIn(place).version}`))
}
