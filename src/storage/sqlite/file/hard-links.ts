import { readdirSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { StorageError } from '../../errors.ts'
import { readHolder } from './pid-file.ts'

/**
 * Returns what is wrong with a database that has several names, or undefined. Log and locks are found by name, so two
 * processes could write to one file without noticing each other.
 */
export function linksProblem(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found || found.nlink === 1) return undefined
  const others = otherNames(file, found)
  const users = others.flatMap((path) => {
    const holder = readHolder(path)
    return holder ? `Process ${holder.pid} on ${holder.host} uses it as ${path}. ` : []
  })
  const known = others.length > 0 ? `, including ${others.join(', ')}` : ''
  return (
    `${file} has ${found.nlink} names (hard links)${known}. Servers that use two of them would destroy each other's messages. ` +
    `${users.join('')}Remove the other names, or turn this one into a separate file: cp -p ${file} ${file}.own && mv ${file}.own ${file}`
  )
}

export function refuseLinks(file: string): void {
  const problem = linksProblem(file)
  if (problem) throw new StorageError('unsupported', problem)
}

/** Finds other names of the file in its folder, the folder above, and their subfolders. */
function otherNames(file: string, { dev, ino }: Stats): string[] {
  const folder = dirname(file)
  const places = [folder, dirname(folder), ...foldersIn(folder), ...foldersIn(dirname(folder))]
  const candidates = places.map((place) => join(place, basename(file))).concat(namesIn(folder))
  return [...new Set(candidates)].filter((path) => {
    const found = path === file ? undefined : statOf(path)
    return found?.dev === dev && found.ino === ino
  })
}

const foldersIn = (folder: string): string[] =>
  entriesOf(folder).flatMap((entry) => (entry.isDirectory() ? join(folder, entry.name) : []))
const namesIn = (folder: string): string[] =>
  entriesOf(folder).flatMap((entry) => (entry.isFile() ? join(folder, entry.name) : []))

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    // Unreadable folders only make the message shorter.
    return []
  }
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
