import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readBlob } from '../../storage/index.ts'
import type { Context } from '../kernel/context.ts'
import { kindOf } from './images/headers/read.ts'
import { type InspectedImage, inspectImage } from './images/inspect.ts'
import { loadSharp } from './images/sharp.ts'

/** Returns what the header of an uploaded image contains; undefined for other files, and if images can't be read. */
export async function inspectBlob(
  context: Context,
  blob_id: number,
  size: number,
): Promise<InspectedImage | undefined> {
  for await (const beginning of readBlob(context.db, blob_id, 0, Math.min(size, 16))) {
    if (kindOf(beginning) === undefined) return undefined
    if (!(await loadSharp())) return undefined
    return withImageFile(context, blob_id, inspectImage)
  }
  return undefined
}

/** Runs work on a blob as a file. Images are decoded from files, so that uploads are never in memory as a whole. */
export async function withImageFile<T>(
  { db }: Context,
  blob_id: number,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), `chat-server-image-${process.pid}-`))
  try {
    const path = join(folder, 'image')
    const file = await open(path, 'wx', 0o600)
    try {
      for await (const piece of readBlob(db, blob_id)) await file.write(piece)
    } finally {
      await file.close()
    }
    return await work(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
