/** The sounds of notifications, made by the browser itself: loaded with the first of them. */

type Wave = OscillatorType | 'noise'

interface Note {
  /** Seconds after the beginning. */
  at: number
  lasts: number
  hz: number
  /** Where the pitch has gone to at its end. */
  to: number
  wave: Wave
  /** From 0 to 1. */
  loudness: number
}

type Options = Partial<Omit<Note, 'hz'>>

const note = (hz: number, options: Options = {}): Note => ({
  at: 0,
  lasts: 0.16,
  hz,
  to: hz,
  wave: 'sine',
  loudness: 0.5,
  ...options,
})
/** Plays one note after another. */
const row = (pitches: readonly number[], step: number, options: Options = {}): Note[] =>
  pitches.map((hz, i) => note(hz, { at: i * step, lasts: step * 1.6, ...options }))
/** A pitch with the overtones of struck metal. */
const bell = (hz: number, lasts: number, at = 0, loudness = 0.4): Note[] => [
  note(hz, { at, lasts, loudness }),
  note(hz * 2.76, { at, lasts: lasts / 2, loudness: loudness / 3 }),
  note(hz * 5.4, { at, lasts: lasts / 4, loudness: loudness / 5 }),
]
const drum = (hz: number, at = 0, lasts = 0.25): Note => note(hz, { at, lasts, to: hz / 2, loudness: 0.8 })
const hiss = (hz: number, at = 0, lasts = 0.08, to = hz): Note => note(hz, { at, lasts, to, wave: 'noise' })

/** By the names that the API has for them. */
const sounds: Readonly<Record<string, readonly Note[]>> = {
  ascend: row([523, 659, 784], 0.12),
  beep_boop: row([880, 440], 0.14, { wave: 'square', loudness: 0.15 }),
  bink: [note(1760, { lasts: 0.09 })],
  bright: [...bell(1047, 0.5), ...bell(1319, 0.5), ...bell(1568, 0.5)],
  brlip: [note(300, { to: 1200, lasts: 0.12, wave: 'triangle' })],
  chime: bell(1047, 1.2),
  'deep tom': [drum(90, 0, 0.5)],
  ding: bell(1568, 0.7),
  'double tap': [hiss(900, 0, 0.04), hiss(900, 0.14, 0.04)],
  down: [note(880, { to: 440, lasts: 0.25 })],
  'dry bongos': [drum(220, 0, 0.12), drum(310, 0.13, 0.12), drum(220, 0.26, 0.12)],
  dutdut: row([330, 330], 0.1, { lasts: 0.07, wave: 'triangle' }),
  'fast ascend': row([523, 659, 784, 1047], 0.06),
  flute: [note(784, { lasts: 0.6, wave: 'triangle' }), note(1568, { lasts: 0.6, loudness: 0.1 })],
  friendly: row([659, 784, 659], 0.13),
  'kick roll': [0, 0.12, 0.2, 0.28].map((at) => drum(65, at, 0.12)),
  'loud tintong': [...bell(1319, 0.5, 0, 0.8), ...bell(988, 0.8, 0.2, 0.8)],
  'metallic snare': [hiss(2500, 0, 0.15), ...bell(620, 0.2)],
  pan: [...bell(466, 0.6), ...bell(699, 0.5, 0, 0.2)],
  practicechat: row([587, 880, 740], 0.1, { wave: 'triangle' }),
  shaker: [0, 0.1, 0.2].map((at) => hiss(6000, at, 0.06)),
  simple: [note(660, { lasts: 0.2 })],
  stairs: row([392, 440, 494, 523, 587], 0.08),
  subtle: [note(520, { loudness: 0.15 })],
  swish: [hiss(800, 0, 0.3, 5000)],
  tintong: [...bell(1319, 0.5), ...bell(988, 0.8, 0.2)],
  up: [note(440, { to: 880, lasts: 0.25 })],
  'wood block': [note(1000, { lasts: 0.06, to: 700, wave: 'triangle', loudness: 0.8 })],
  zaping: [note(1600, { to: 200, lasts: 0.3, wave: 'sawtooth', loudness: 0.2 })],
  zing: [note(800, { to: 2400, lasts: 0.2 })],
  zulip: row([494, 740], 0.1, { lasts: 0.25, wave: 'triangle' }),
}

/**
 * Plays a sound if its name is known. Silent until the user has clicked or typed on the page, as browsers require, and
 * while another sound plays, in any window.
 */
export async function playSound(name: string): Promise<void> {
  const notes = sounds[name]
  if (!notes || navigator.userActivation?.hasBeenActive === false) return
  // Browsers have locks only where the connection is safe.
  if (!navigator.locks) return play(notes)
  await navigator.locks.request('sound', { ifAvailable: true }, (lock) => (lock ? play(notes) : undefined))
}

async function play(notes: readonly Note[]): Promise<void> {
  const context = new AudioContext()
  await context.resume()
  await Promise.all(notes.map((one) => sound(context, one)))
  await context.close()
}

const SOFT_SECONDS = 0.01
const SILENCE = 0.0001

/** Answers when it has sounded. */
function sound(context: AudioContext, { at, lasts, hz, to, wave, loudness }: Note): Promise<void> {
  const begin = context.currentTime + at
  const end = begin + lasts
  const volume = context.createGain()
  volume.gain.setValueAtTime(SILENCE, begin)
  volume.gain.exponentialRampToValueAtTime(loudness, begin + SOFT_SECONDS)
  volume.gain.exponentialRampToValueAtTime(SILENCE, end)
  const { source, pitch, out } = wave === 'noise' ? noise(context, lasts) : tone(context, wave)
  pitch.setValueAtTime(hz, begin)
  pitch.exponentialRampToValueAtTime(to, end)
  out.connect(volume).connect(context.destination)
  source.start(begin)
  source.stop(end)
  return new Promise((resolve) => {
    source.onended = () => resolve()
  })
}

interface Voice {
  source: AudioScheduledSourceNode
  pitch: AudioParam
  out: AudioNode
}

function tone(context: AudioContext, type: OscillatorType): Voice {
  const source = Object.assign(context.createOscillator(), { type })
  return { source, pitch: source.frequency, out: source }
}

function noise(context: AudioContext, seconds: number): Voice {
  const buffer = context.createBuffer(1, Math.ceil(seconds * context.sampleRate), context.sampleRate)
  const samples = buffer.getChannelData(0)
  for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1
  const source = Object.assign(context.createBufferSource(), { buffer })
  const filter = Object.assign(context.createBiquadFilter(), { type: 'bandpass' as const })
  return { source, pitch: filter.frequency, out: source.connect(filter) }
}
