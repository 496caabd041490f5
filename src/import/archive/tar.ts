import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { createTarDecoder } from 'modern-tar'
import { Refused } from '../refused.ts'
import type { ArchiveLimits } from './archive.ts'
import { checkedName, createTally, shown } from './names.ts'

/** Unpacks a `.tar` or `.tar.gz` into an empty folder: tar files can't be read in any order but their own. */
export async function unpackTar(path: string, gzip: boolean, into: string, limits: ArchiveLimits): Promise<void> {
  const tally = createTally(limits)
  const { size: packed } = await stat(path)
  const source = createReadStream(path)
  const bytes = gzip ? source.pipe(createGunzip()) : source
  source.on('error', (error: Error) => bytes.destroy(error))
  let unpacked = 0
  const counted = bytes.pipe(
    new Transform({
      transform(chunk: Uint8Array, _, done) {
        unpacked += chunk.length
        const tooDense = unpacked > 64 * 1024 * 1024 && unpacked > limits.ratio * packed
        if (tooDense)
          done(new Refused(`The archive is compressed more than ${limits.ratio} times, which no real export is.`))
        else if (unpacked > limits.bytes * 1.1) done(new Refused("The archive's files exceed the size limit."))
        else done(null, chunk)
      },
    }),
  )
  bytes.on('error', (error: Error) => counted.destroy(error))
  const seen = new Set<string>()
  try {
    const decoded = Readable.toWeb(counted) as unknown as ReadableStream<Uint8Array>
    const entries = decoded.pipeThrough(createTarDecoder({ strict: true }) as never) as unknown as AsyncIterable<{
      header: { name: string; type: string; size: number }
      body: ReadableStream<Uint8Array>
    }>
    for await (const { header, body } of entries) {
      const name = checkedName(header.name, limits)
      if (header.type === 'directory') {
        await body.cancel()
        continue
      }
      if (header.type !== 'file') throw new Refused(`${shown(name)} is a ${header.type}. Only files are imported.`)
      if (seen.has(name)) throw new Refused(`The archive has two files named ${shown(name)}.`)
      seen.add(name)
      tally(name, header.size)
      await mkdir(dirname(join(into, name)), { recursive: true, mode: 0o700 })
      const target = createWriteStream(join(into, name), { flags: 'wx', mode: 0o600 })
      await pipeline(Readable.fromWeb(body as never), target)
    }
  } catch (error) {
    if (error instanceof Refused || (error as NodeJS.ErrnoException).syscall) throw error
    throw new Refused(`The archive is damaged: ${(error as Error).message}.`)
  } finally {
    source.destroy()
  }
}
