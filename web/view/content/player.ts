import { addVoicePlayer, isVoice } from './voice-player.ts'

/** Puts a player into its frame. Only the length and the first picture are loaded before somebody presses play. */
export function addPlayer(frame: HTMLElement, link: HTMLAnchorElement): void {
  const addNamed = () => {
    const paragraph = link.closest('p')
    if (paragraph) paragraph.hidden = false
    addPlain(frame, link)
  }
  if (isVoice(link)) whenSeen(frame, () => void addVoicePlayer(frame, link, addNamed))
  else addNamed()
}

function addPlain(frame: HTMLElement, link: HTMLAnchorElement): void {
  const player = document.createElement(frame.classList.contains('video') ? 'video' : 'audio')
  player.controls = true
  player.preload = 'metadata'
  player.src = link.href
  player.setAttribute('aria-label', link.textContent ?? '')
  if (player instanceof HTMLVideoElement) player.playsInline = true
  // A file that this browser can't play remains a link.
  player.addEventListener('error', () => frame.remove())
  frame.append(player)
}

/** A waveform needs the entire file, so it is fetched when the reader comes to it. */
function whenSeen(frame: HTMLElement, act: () => void): void {
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return
    observer.disconnect()
    act()
  })
  observer.observe(frame)
}
