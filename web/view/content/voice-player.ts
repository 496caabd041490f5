import { pieceTexts } from '../../texts/piece-texts.ts'
import { clockTime } from './clock-time.ts'

/** The names that the composer gives to recordings. */
const NAME = /\/voice-message-[\d-]+\.(?:m4a|ogg|weba)$/
export const isVoice = (link: HTMLAnchorElement): boolean => NAME.test(link.pathname)

/** Twice as much as the longest recording. Another file of that name is not fetched whole, nor decoded. */
const MOST_BYTES = 8 * 1024 * 1024

const BARS = 40
const SPEEDS: readonly number[] = [1, 1.5, 2]
const SVG = 'http://www.w3.org/2000/svg'
const shapes = { play: 'M7 5l12 7-12 7z', pause: 'M7 5h4v14H7zM13 5h4v14h-4z' } as const

/**
 * Puts a player for a voice message into its frame: its waveform, on which the reader moves, and its speed. Without a
 * waveform it calls `plain`.
 */
export async function addVoicePlayer(frame: HTMLElement, link: HTMLAnchorElement, plain: () => void): Promise<void> {
  const sound = await soundOf(link.href).catch(() => undefined)
  if (!sound) return plain()
  const { peaks, duration } = sound
  const audio = new Audio(link.href)
  audio.preload = 'none'
  const play = newButton('icon-button', pieceTexts.voice.play)
  const speed = newButton('speed', '')
  const time = document.createElement('span')
  time.className = 'quiet small'
  const seek = document.createElement('input')
  Object.assign(seek, { type: 'range', min: '0', max: String(duration), step: '0.1', value: '0' })
  seek.setAttribute('aria-label', pieceTexts.voice.title)
  const wave = document.createElement('span')
  wave.className = 'wave'
  const bars = peaks.map((peak) => {
    const bar = document.createElement('span')
    bar.style.setProperty('--level', String(Math.max(0.08, peak)))
    return bar
  })
  wave.append(...bars, seek)

  const show = () => {
    const at = audio.ended ? 0 : audio.currentTime
    seek.value = String(at)
    seek.setAttribute('aria-valuetext', `${clockTime(at)} / ${clockTime(duration)}`)
    time.textContent = clockTime(at > 0 ? at : duration)
    for (const [i, bar] of bars.entries()) bar.classList.toggle('played', (i + 0.5) / BARS < at / duration)
    drawIcon(play, audio.paused ? 'play' : 'pause')
    play.setAttribute('aria-label', audio.paused ? pieceTexts.voice.play : pieceTexts.voice.pause)
  }
  const setSpeed = (factor: number) => {
    audio.defaultPlaybackRate = factor
    audio.playbackRate = factor
    speed.textContent = `${factor}×`
    speed.setAttribute('aria-label', pieceTexts.voice.speed(factor))
  }
  play.addEventListener('click', () => (audio.paused ? void audio.play().catch(show) : audio.pause()))
  seek.addEventListener('input', () => {
    audio.currentTime = Number(seek.value)
    show()
  })
  speed.addEventListener('click', () => setSpeed(SPEEDS[(SPEEDS.indexOf(audio.playbackRate) + 1) % SPEEDS.length]!))
  for (const type of ['timeupdate', 'play', 'pause', 'ended', 'seeked']) audio.addEventListener(type, show)
  setSpeed(1)
  show()
  const player = document.createElement('div')
  player.className = 'voice'
  player.append(play, wave, time, speed)
  frame.replaceChildren(player)
}

/** Fetches a recording, and measures it. Files of recorders don't say how long they are. */
async function soundOf(url: string): Promise<{ peaks: number[]; duration: number }> {
  const abort = new AbortController()
  const answer = await fetch(url, { signal: abort.signal })
  const isTooLarge = Number(answer.headers.get('content-length')) > MOST_BYTES
  if (isTooLarge) abort.abort()
  if (!answer.ok || isTooLarge) throw new Error(answer.statusText)
  const sound = await new OfflineAudioContext(1, 1, 22_050).decodeAudioData(await answer.arrayBuffer())
  const samples = sound.getChannelData(0)
  const size = Math.max(1, Math.floor(samples.length / BARS))
  const peaks = Array.from({ length: BARS }, (_, i) =>
    samples.subarray(i * size, (i + 1) * size).reduce((most, sample) => Math.max(most, Math.abs(sample)), 0),
  )
  const most = Math.max(...peaks, 0.01)
  return { peaks: peaks.map((peak) => peak / most), duration: sound.duration }
}

function newButton(name: string, label: string): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = name
  button.setAttribute('aria-label', label)
  return button
}

function drawIcon(button: HTMLElement, name: keyof typeof shapes): void {
  if (button.dataset.icon === name) return
  button.dataset.icon = name
  const icon = document.createElementNS(SVG, 'svg')
  icon.setAttribute('viewBox', '0 0 24 24')
  icon.setAttribute('class', 'icon filled')
  icon.setAttribute('aria-hidden', 'true')
  const path = document.createElementNS(SVG, 'path')
  path.setAttribute('d', shapes[name])
  icon.append(path)
  button.replaceChildren(icon)
}
