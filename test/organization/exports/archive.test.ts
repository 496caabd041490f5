import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { unpackTar } from 'modern-tar'
import { createArchive } from '../../../src/core/organization/exports/archive.ts'
import { textBytes } from '../../../src/core/organization/exports/tables/text-bytes.ts'

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'chat-archive-'))
  try {
    await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const newArchive = (path: string) => createArchive(path, { folder: 'f', mtime: new Date(0), room() {} })

test('an archive has taken a piece before it asks for the next one in the same memory', () =>
  inFolder(async (folder) => {
    const path = join(folder, 'a.tar.gz')
    const archive = newArchive(path)
    const memory = Buffer.alloc(100)
    function* pieces() {
      for (const size of [1, 100, 10, 0, 100]) yield memory.subarray(0, size).fill(`${size}`)
    }
    for (const name of ['first', 'second']) await archive.addPieces(name, 211, pieces())
    await archive.finish()
    const wanted = `1${'100'.repeat(34).slice(0, 100)}1010101010${'100'.repeat(34).slice(0, 100)}`
    const entries = await unpackTar(gunzipSync(await readFile(path)))
    assert.deepEqual(
      entries.map(({ header, data }) => [header.name, Buffer.from(data!).toString()]),
      [
        ['f/first', wanted],
        ['f/second', wanted],
      ],
    )
  }))

test('an archive that cannot be written says why', () =>
  inFolder(async (folder) => {
    const archive = newArchive(join(folder, 'missing', 'a.tar.gz'))
    const written = async () => {
      await archive.addText('name', 'text')
      await archive.finish()
    }
    await assert.rejects(written(), { code: 'ENOENT' })
  }))

test('text as bytes grows, has numbers of any size, and can be cleared', () => {
  const text = textBytes()
  for (let round = 0; round < 2; round++) {
    const numbers = [0, 7, 10, 999, 2 ** 31 - 1, 2 ** 31, 2 ** 53 - 1]
    for (const number of numbers) {
      text.putNumber(number)
      text.put(' ')
    }
    const long = 'é€🙂'.repeat(50_000)
    text.put(long)
    text.putBytes(Buffer.from('!'))
    assert.equal(Buffer.from(text.bytes()).toString(), `${numbers.join(' ')} ${long}!`)
    text.clear()
    assert.equal(text.length, 0)
  }
})
