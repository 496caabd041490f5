import { signal } from '@preact/signals'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { recordingFormat } from './can-record.ts'

/** A recording ends automatically after this long. */
const MOST_SECONDS = 900
const TICK_MS = 100
/** Enough for speech. */
const BITS_PER_SECOND = 32_000
const LEVELS = 60

/** A recording in progress. */
export interface Recording {
  /** Ends it, and returns its file. */
  end(): Promise<File>
  discard(): void
}

/** Returns a recorder for one message. Its signals are shown while it runs. */
export function createRecorder() {
  const seconds = signal(0)
  /** The newest levels, from 0 to 1. */
  const levels = signal<readonly number[]>([])

  async function begin(onEnd: () => void): Promise<Recording> {
    const stream = await navigator.mediaDevices.getUserMedia({ audio: true }).catch((error: DOMException) => {
      throw new Error(error.name === 'NotFoundError' ? pieceTexts.voice.noMicrophone : pieceTexts.voice.blocked)
    })
    const [type, ending] = recordingFormat()!
    const recorder = new MediaRecorder(stream, { mimeType: type, audioBitsPerSecond: BITS_PER_SECOND })
    const pieces: Blob[] = []
    recorder.ondataavailable = ({ data }) => pieces.push(data)
    const meter = levelMeter(stream)
    const began = performance.now()
    const timer = setInterval(() => {
      seconds.value = (performance.now() - began) / 1000
      levels.value = [...levels.value, meter.level()].slice(-LEVELS)
      if (seconds.value >= MOST_SECONDS && recorder.state === 'recording') onEnd()
    }, TICK_MS)
    const release = () => {
      clearInterval(timer)
      meter.close()
      for (const track of stream.getTracks()) track.stop()
    }
    // A microphone that is unplugged ends it, too.
    const hasStopped = new Promise((resolve) => {
      recorder.onstop = resolve
    })
    const stop = async () => {
      if (recorder.state !== 'inactive') recorder.stop()
      await hasStopped
      release()
    }
    recorder.start()
    return {
      async end() {
        await stop()
        return new File(pieces, `${nameAt(new Date())}.${ending}`, { type })
      },
      discard: () => void stop(),
    }
  }
  return { seconds, levels, begin }
}

/** "voice-message-2026-11-26-0805": the player knows recordings by this name. */
function nameAt(date: Date): string {
  const two = (number: number) => String(number).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `voice-message-${day}-${two(date.getHours())}${two(date.getMinutes())}`
}

/** Measures how loud a stream is. */
function levelMeter(stream: MediaStream) {
  const context = new AudioContext()
  const analyser = context.createAnalyser()
  context.createMediaStreamSource(stream).connect(analyser)
  const samples = new Float32Array(analyser.fftSize)
  return {
    level(): number {
      analyser.getFloatTimeDomainData(samples)
      return samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
    },
    close: () => void context.close(),
  }
}
