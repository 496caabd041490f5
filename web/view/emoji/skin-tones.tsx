import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { chooseSkinTone, skinTone, type Tone, tones } from '../../model/writing/skin-tone.ts'
import { pieceTexts } from '../../texts/piece-texts.ts'

const HAND = '✋'

/** Chooses the skin tone of all emoji that have one. */
export function SkinTones() {
  const isOpen = useSignal(false)
  const opener = useRef<HTMLButtonElement>(null)
  const names = pieceTexts.emoji.tones
  const choose = (tone: Tone) => {
    chooseSkinTone(tone)
    isOpen.value = false
    opener.current!.focus()
  }
  return (
    <span class="skin-tones">
      {isOpen.value && (
        <span role="toolbar" aria-label={names.title}>
          {(Object.keys(tones) as Tone[]).map((tone) => (
            <button
              key={tone}
              type="button"
              class="emoji"
              aria-label={names[tone]}
              aria-pressed={tone === skinTone()}
              title={names[tone]}
              onClick={() => choose(tone)}
            >
              {HAND + tones[tone]}
            </button>
          ))}
        </span>
      )}
      <button
        ref={opener}
        type="button"
        class="emoji"
        aria-label={names.title}
        aria-expanded={isOpen.value}
        title={names[skinTone()]}
        onClick={() => (isOpen.value = !isOpen.value)}
      >
        {HAND + tones[skinTone()]}
      </button>
    </span>
  )
}
