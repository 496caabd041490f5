import { freeBytes } from '../../core/kernel/base/free-bytes.ts'
import { parseJson } from './json.ts'
import type { BodyRules, ReceivedBody, WholeRule } from './rules.ts'
import { type BodySource, collect, endedEarly, utf8 } from './source.ts'
import { createUpload } from './upload.ts'

/** Reads a body as the value of one parameter. */
export async function readWhole(
  source: BodySource,
  content_type: string,
  { param, encoding }: WholeRule,
  { maxBytes, maxFileBytes }: BodyRules,
): Promise<ReceivedBody> {
  const about = { field: param, name: '', content_type }
  if (encoding === 'stream') return { files: [], upload: streamed(source, about, maxFileBytes) }
  const bytes = await collect(source, encoding === 'file' ? maxFileBytes : maxBytes)
  if (encoding === 'file') return { files: [{ ...about, bytes }] }
  const text = utf8(bytes)
  return { files: [], value: encoding === 'text' ? text : parseJson(text) }
}

function streamed(source: BodySource, about: { field: string; name: string; content_type: string }, maxBytes: number) {
  const { stream, socket } = source
  const upload = createUpload({
    source,
    ...about,
    maxBytes,
    pause: () => void stream.pause(),
    resume: () => void stream.resume(),
    // Something else of the host application's may read along, and a Request's body is its maker's.
    release: (piece) => void (socket && stream.listenerCount('data') === 1 && freeBytes(piece)),
  })
  const onClose = () => upload.fail(endedEarly())
  stream.on('data', upload.push).once('end', upload.end).once('error', onClose).once('close', onClose)
  return upload
}
