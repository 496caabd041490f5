import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { current } from '../../model/state/account.ts'
import { findEmoji, loadEmoji } from '../../model/writing/emoji.ts'
import type { Emoji } from '../../model/writing/react.ts'
import { texts } from '../../texts/texts.ts'
import { closeDialog } from '../parts/dialog.tsx'
import { SessionProvider } from '../session-context.ts'
import { EmojiPicture } from './emoji-picture.tsx'

/** So many are drawn at first, and as many more whenever the end of them comes near. */
const STEP = 120

interface PickerProps {
  onPick(emoji: Emoji): void
  /** Before the choice; a dialog of its own is closed. */
  onClose?: () => void
}

/** Emoji to choose from, found by their names. */
export function EmojiPicker({ onPick, onClose = closeDialog }: PickerProps) {
  const session = current.value
  const query = useSignal('')
  const most = useSignal(STEP)
  const search = useRef<HTMLInputElement>(null)
  useEffect(loadEmoji, [])
  // An open dialog doesn't focus it. Synchronously, because the next key press is for it.
  useLayoutEffect(() => search.current!.focus(), [])
  const found = findEmoji(session, query.value, most.value)
  const pick = (emoji: Emoji | undefined) => {
    if (!emoji) return
    onClose()
    onPick(emoji)
  }
  return (
    <form
      class="emoji-picker"
      onSubmit={(event) => {
        event.preventDefault()
        pick(found[0])
      }}
    >
      <input
        ref={search}
        type="search"
        aria-label={texts.emoji.search}
        placeholder={texts.common.search}
        autofocus
        value={query.value}
        onInput={(event) => (query.value = event.currentTarget.value)}
      />
      <ul
        onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
          if (scrollHeight - scrollTop < 2 * clientHeight && found.length === most.value) most.value += STEP
        }}
      >
        {found.map((emoji) => (
          <li key={emoji.reaction_type + emoji.emoji_code}>
            <button
              type="button"
              title={emoji.emoji_name}
              aria-label={emoji.emoji_name.replaceAll('_', ' ')}
              onClick={() => pick(emoji)}
            >
              <SessionProvider value={session}>
                <EmojiPicture emoji={emoji} />
              </SessionProvider>
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p class="quiet">{texts.emoji.nothing}</p>}
    </form>
  )
}
