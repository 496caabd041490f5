import { mkdtemp, open, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Refused } from '../refused.ts'
import { type Archive, type ArchiveLimits, defaultArchiveLimits } from './archive.ts'
import { openFile, openFolder } from './folder.ts'
import { unpackTar } from './tar.ts'
import { openZip } from './zip.ts'

/**
 * Opens a folder, a zip file, a tar file, compressed or not, or a single file: its bytes say what it is. Everything in it may be
 * an attack.
 *
 * @param work where a tar file is unpacked; a temporary folder unless given
 * @throws Refused with a sentence about what can't be accepted
 */
export async function openArchive(
  path: string,
  { limits = {}, work = tmpdir() }: { limits?: Partial<ArchiveLimits>; work?: string } = {},
): Promise<Archive> {
  const all = { ...defaultArchiveLimits, ...limits }
  const about = await stat(path).catch(() => undefined)
  if (!about) throw new Refused(`${path} does not exist, or can't be read.`)
  if (about.isDirectory()) return openFolder(path, all)
  if (!about.isFile()) throw new Refused(`${path} is neither a file nor a folder.`)
  const kind = await kindOf(path)
  if (kind === 'zip') return openZip(path, all)
  if (kind === 'plain') return openFile(path, all)
  const folder = await mkdtemp(join(work, 'chat-server-import-'))
  try {
    await unpackTar(path, kind === 'gzip', folder, all)
    const archive = await openFolder(folder, all)
    return { ...archive, close: () => rm(folder, { recursive: true, force: true }) }
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

async function kindOf(path: string): Promise<'zip' | 'gzip' | 'tar' | 'plain'> {
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(512), 0, 512, 0)
    if (buffer.readUInt32LE(0) === 0x04034b50 || buffer.readUInt32LE(0) === 0x06054b50) return 'zip'
    if (buffer[0] === 0x1f && buffer[1] === 0x8b) return 'gzip'
    return buffer.toString('latin1', 257, 262) === 'ustar' ? 'tar' : 'plain'
  } finally {
    await file.close()
  }
}
