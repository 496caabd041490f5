import type { ChatError } from '../../core/kernel/errors.ts'
import type { FileStream } from '../../core/kernel/fields.ts'
import { tooLarge } from '../responses.ts'
import { type BodySource, tooSlow } from './source.ts'

/** Bytes that wait for the action. Beyond this, the sender has to wait. */
const MAX_WAITING_BYTES = 256 * 1024
/** An upload may take long, but not pause for longer than this. */
const SILENCE_MS = 30_000
/** Bytes that must arrive in each minute in which the server waits for them: a kilobyte a second. */
const BYTES_A_MINUTE = 60 * 1024
const MINUTE_MS = 60_000
const MIB = 1024 * 1024

/** A file that is still arriving. */
export interface Upload extends FileStream {
  readonly field: string
  push(piece: Uint8Array): void
  /** The request is complete. */
  end(): void
  /** The rest won't arrive or is invalid. Reading throws this error. */
  fail(error: unknown): void
  /** The file has no reader anymore, so the rest is dropped as it arrives. */
  discard(): void
}

interface UploadOptions {
  source: BodySource
  field: string
  name: string
  content_type: string
  maxBytes: number
  pause(): void
  resume(): void
  /** Called with each piece after its last use. */
  release(piece: Uint8Array): void
}

/**
 * Creates a queue between a body, which pushes chunks, and an action, which pulls them. The action uses each chunk
 * until it asks for the next.
 */
export function createUpload({ source, maxBytes, pause, resume, release, ...about }: UploadOptions): Upload {
  let pieces: Uint8Array[] = []
  let waiting = 0
  let received = 0
  let paused = false
  const { clock } = source.deadlines
  /** The minute whose rate is being measured. */
  let minute = { began: clock.now(), bytes: 0 }
  let state: 'open' | 'ended' | 'failed' | 'discarded' = 'open'
  let failure: unknown
  let wake = () => {}

  const finish = (next: typeof state) => {
    if (state !== 'open') return
    state = next
    wake()
  }
  const fail = (error: unknown) => {
    failure ??= error
    finish('failed')
  }
  const taken = (bytes: number) => {
    waiting -= bytes
    if (!paused || waiting > MAX_WAITING_BYTES / 2) return
    paused = false
    // The sender was held up, not slow.
    minute = { began: clock.now(), bytes: 0 }
    resume()
  }
  const discard = () => {
    finish('discarded')
    pieces = []
    taken(waiting)
  }

  async function* read(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const piece = pieces.shift()
        if (piece) {
          taken(piece.length)
          yield piece
          release(piece)
        } else if (state === 'failed') throw failure
        else if (state === 'open') await nextPiece()
        else return
      }
    } finally {
      discard()
    }
  }
  function nextPiece(): Promise<void> {
    return new Promise((resolve) => {
      const stopTimer = clock.after(SILENCE_MS, () => fail(tooSlow()))
      wake = () => {
        stopTimer()
        wake = () => {}
        resolve()
      }
    })
  }

  return {
    ...about,
    chunks: read(),
    push(piece) {
      if (state !== 'open') return
      received += piece.length
      if (received > maxBytes) return fail(fileTooLarge(maxBytes))
      minute.bytes += piece.length
      if (clock.now() - minute.began >= MINUTE_MS) {
        if (minute.bytes < BYTES_A_MINUTE) return fail(tooSlow())
        minute = { began: clock.now(), bytes: 0 }
      }
      pieces.push(piece)
      waiting += piece.length
      if (waiting > MAX_WAITING_BYTES && !paused) {
        paused = true
        pause()
      }
      wake()
    },
    end: () => finish('ended'),
    fail,
    discard,
  }
}

export const fileTooLarge = (maxBytes: number): ChatError =>
  tooLarge(`Uploaded file is larger than the allowed limit of ${maxBytes / MIB} MiB`)
