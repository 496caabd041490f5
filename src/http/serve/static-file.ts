import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { publicAction } from '../../core/kernel/action.ts'
import { type ServedFile, servedBytes, servedFile } from '../../core/kernel/answers.ts'
import { described, none, text } from '../../core/kernel/fields.ts'
import { acceptedEncoding } from './accepted-encoding.ts'
import { compressNow, type Encoding, encodings } from './compress.ts'

const accept_encoding = described(v.optional(text, ''), 'Encodings that the client accepts.')

interface StaticFile {
  name: string
  summary: string
  content_type: string
  content(): string | Promise<string | Uint8Array>
  cache?: ServedFile['cache']
}

/**
 * Defines an action that returns the same file to everyone, generated on the first request. JSON is compressed once.
 */
export function staticFile({ name, summary, content_type, content, cache = 'day' }: StaticFile) {
  const made = new Map<string, Promise<ServedFile>>()
  const make = async (content_encoding?: Encoding | 'identity') => {
    const plain = Buffer.from(await content())
    const hash = createHash('sha256').update(plain).digest('base64url').slice(0, 16)
    const isPlain = content_encoding === undefined || content_encoding === 'identity'
    return servedBytes(isPlain ? plain : compressNow(plain, content_encoding), {
      content_type,
      version: isPlain ? hash : `${hash}-${content_encoding}`,
      cache,
      embed: 'everywhere',
      ...(content_encoding && { content_encoding }),
    })
  }
  const kept = (encoding?: Encoding | 'identity') => {
    const file = made.get(encoding ?? '') ?? make(encoding)
    made.set(encoding ?? '', file)
    return file
  }
  const common = { name, summary, result: servedFile, answers: 'bytes', limit: 'files' } as const
  if (!content_type.startsWith('application/json')) return publicAction({ ...common, params: none }, () => kept())
  return publicAction(
    { ...common, params: v.object({ accept_encoding }), headers: { accept_encoding: 'accept-encoding' } },
    (_visitor, params) => kept(acceptedEncoding(params.accept_encoding, encodings)),
  )
}
