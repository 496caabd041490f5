import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
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
/** Those of the web client, which is a program of its own. */
export const webFiles = filesIn('web')

/** Every import of a file: for our own files the path from the root, for packages the name. */
const importsOf = (from: string): Import[] => {
  const text = readFileSync(join(root, from), 'utf8')
  const found = text.matchAll(
    /^(?:import|export)\s+(?:(type)\s+)?(?:([\w*{][^'";]*?)\sfrom\s+)?'([^']+)'|\bimport\('([^']+)'\)/gm,
  )
  return [...found].map(([, type, names = '', named, dynamic]) => {
    const target = named ?? dynamic!
    const to = target.startsWith('.') ? relative(root, resolve(root, dirname(from), target)) : target
    return { from, to, typesOnly: type !== undefined, names }
  })
}
export const imports: Import[] = files.flatMap(importsOf)
export const webImports: Import[] = webFiles.flatMap(importsOf)

/** The room of a file: a folder of core, or one of the other parts as a whole. */
function roomOf(file: string): string {
  if (file === 'src/index.ts' || file === 'src/core/open-chat.ts') return file.replace('src/', '')
  const folder = dirname(file)
  if (folder === 'src/core') return 'core/*.ts'
  if (folder.startsWith('src/core/')) return folder.slice('src/core/'.length)
  return folder
    .split('/')
    .slice(0, folder.startsWith('src/') ? 2 : 1)
    .join('/')
}

/** Which rooms each room imports from. */
function roomImports(): Map<string, Set<string>> {
  const rooms = new Map<string, Set<string>>()
  for (const { from, to } of imports) {
    if (!files.includes(to) || roomOf(from) === roomOf(to)) continue
    rooms.set(roomOf(from), (rooms.get(roomOf(from)) ?? new Set()).add(roomOf(to)))
  }
  return rooms
}

/**
 * A drawing of the imports between rooms, in the language of mermaid. An import that follows from others is left out:
 * of `a → b → c` and `a → c` the last one. Throws where rooms import each other in a circle.
 */
export function drawing(): string {
  const rooms = roomImports()
  const below = new Map<string, Set<string>>()
  const reached = (room: string, path: readonly string[] = []): Set<string> => {
    if (path.includes(room)) throw new Error(`a circle of rooms: ${[...path, room].join(' → ')}`)
    const known = below.get(room)
    if (known) return known
    const direct = [...(rooms.get(room) ?? [])]
    const all = new Set([...direct, ...direct.flatMap((next) => [...reached(next, [...path, room])])])
    below.set(room, all)
    return all
  }
  const arrows = [...rooms].flatMap(([room, direct]) =>
    [...direct]
      .filter((to) => ![...direct].some((other) => reached(other, [room]).has(to)))
      .map((to) => `  ${idOf(room)} --> ${idOf(to)}`),
  )
  return ['graph TD', ...arrows.sort()].join('\n')
}

const idOf = (room: string): string => `${room.replace(/\W+/g, '_')}["${room}"]`

const page = (): string => `# Imports between rooms

Made by \`node --import tsx scripts/imports.ts\`; \`test/layering.test.ts\` fails when it is not true any more. Types
are imports too. An arrow that follows from others is left out.

\`\`\`mermaid
${drawing()}
\`\`\`
`

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(join(root, 'docs/imports.md'), page())
