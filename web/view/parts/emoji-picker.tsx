import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { current } from '../../model/state/account.ts'
import { findEmoji, loadEmoji } from '../../model/writing/emoji.ts'
import type { Emoji } from '../../model/writing/react.ts'
import { fromCode } from '../content/enliven.ts'
import { closeDialog } from './dialog.tsx'

const MOST = 120

/** Emoji to choose from, found by their names. */
export function EmojiPicker({ onPick }: { onPick(emoji: Emoji): void }) {
  const session = current.value
  const query = useSignal('')
  useEffect(loadEmoji, [])
  const found = findEmoji(session, query.value, MOST)
  const pick = (emoji: Emoji | undefined) => {
    if (!emoji) return
    closeDialog()
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
        type="search"
        aria-label="Search emoji"
        placeholder="Search"
        autofocus
        value={query.value}
        onInput={(event) => (query.value = event.currentTarget.value)}
      />
      <ul>
        {found.map((emoji) => (
          <li key={emoji.reaction_type + emoji.emoji_code}>
            <button
              type="button"
              title={emoji.emoji_name}
              aria-label={emoji.emoji_name.replaceAll('_', ' ')}
              onClick={() => pick(emoji)}
            >
              {emoji.reaction_type === 'unicode_emoji' ? (
                fromCode(emoji.emoji_code)
              ) : (
                <img
                  src={session.state.realm_emoji[emoji.emoji_code]?.source_url ?? ''}
                  alt=""
                  width="22"
                  height="22"
                />
              )}
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p class="quiet">No emoji has such a name.</p>}
    </form>
  )
}
