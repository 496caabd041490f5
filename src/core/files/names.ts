import { MAX_FILE_NAME_LENGTH } from '../kernel/base/limits.ts'
import { type Random, randomText } from '../kernel/base/random.ts'

/** The one organization of a database, in addresses. */
const ORGANIZATION = '1'
const NAMELESS = 'uploaded-file'

/** Path of files below the server's address. */
export const UPLOADS_PATH = '/user_uploads'

/**
 * Returns a file's name for display: without folders, and without characters that would change the text around it.
 */
export function shownName(given: string): string {
  const last = given.toWellFormed().normalize('NFC').split(/[/\\]/).at(-1)!
  const visible = last.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, '').trim()
  return shortened(visible) || NAMELESS
}

/** Returns a name for an address: letters and digits of any script, and little else. */
function addressName(shown: string): string {
  const plain = shown.normalize('NFKC').replace(/[^\p{L}\p{M}\p{N}_\s.-]/gu, '')
  const name = shortened(plain.trim().replace(/[-\s]+/g, '-'))
  return /^\.*$/.test(name) ? NAMELESS : name
}

/** Returns the path of a new file. It can't be guessed, and ends with the file's name. */
export function newPath(random: Random, shown: string): string {
  const [folder] = random.bytes(1)
  return `${ORGANIZATION}/${folder!.toString(16).padStart(2, '0')}/${randomText(random, 24)}/${addressName(shown)}`
}

/** Shortens a name in the middle, because its ending tells the type. */
function shortened(name: string): string {
  const characters = [...name]
  if (characters.length <= MAX_FILE_NAME_LENGTH) return name
  const ending = [...(/\.[^.]{1,10}$/u.exec(name)?.[0] ?? '')]
  return characters.slice(0, MAX_FILE_NAME_LENGTH - ending.length).join('') + ending.join('')
}
