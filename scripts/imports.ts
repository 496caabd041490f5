import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

export interface Import {
  from: string
  to: string
  typesOnly: boolean
  /** The imported specifiers, as written. */
  names: string
}

const filesIn = (...folders: string[]) =>
  folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
      .map((entry) => relative(root, join(entry.parentPath, entry.name))),
  )

/** The files of src and bin, by their paths from the root. */
export const files = filesIn('src', 'bin')
/** The files of the web client, which is a program of its own. */
export const webFiles = filesIn('web')

/** Returns all imports of a file: our own files by their path from the root, packages by name. */
const importsOf = (from: string): Import[] => {
  const text = readFileSync(join(root, from), 'utf8')
  const found = text.matchAll(
    /^(?:import|export)\s+(?:(type)\s+)?(?:([\w*{][^'";]*?)\sfrom\s+)?'([^']+)'|(?<!^ \*.*)\bimport\('([^']+)'\)/gm,
  )
  return [...found].map(([, type, names = '', named, dynamic]) => {
    const target = named ?? dynamic!
    const to = target.startsWith('.') ? relative(root, resolve(root, dirname(from), target)) : target
    return { from, to, typesOnly: type !== undefined, names }
  })
}
export const imports: Import[] = files.flatMap(importsOf)
export const webImports: Import[] = webFiles.flatMap(importsOf)
