import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { statusEmoji, statusOf } from '../../../model/reading/people.ts'
import type { Session } from '../../../model/state/session.ts'
import { emojiLabel } from '../../../model/writing/emoji-names.ts'
import type { Emoji } from '../../../model/writing/react.ts'
import { pageTexts } from '../../../texts/page-texts.ts'
import { texts } from '../../../texts/texts.ts'
import { EmojiPicker } from '../../emoji/emoji-picker.tsx'
import { EmojiPicture } from '../../emoji/emoji-picture.tsx'
import { openPopover, useDialogWork } from '../../parts/dialog.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Problem } from '../../parts/notices.tsx'
import { SessionProvider } from '../../session-context.ts'

/** At most this many characters. */
const LONGEST = 60

const unicode = (emoji_name: string, emoji_code: string): Emoji => ({
  emoji_name,
  emoji_code,
  reaction_type: 'unicode_emoji',
})
const usual: readonly (readonly [emoji: Emoji, text: string])[] = [
  [unicode('calendar', '1f4c5'), pageTexts.status.meeting],
  [unicode('house', '1f3e0'), pageTexts.status.home],
  [unicode('bus', '1f68c'), pageTexts.status.commuting],
  [unicode('hurt', '1f915'), pageTexts.status.sick],
  [unicode('palm_tree', '1f334'), pageTexts.status.vacation],
]

/** Asks for the reader's status. */
export function openStatus(session: Session): void {
  openPopover(
    pageTexts.status.title,
    <SessionProvider value={session}>
      <StatusForm session={session} />
    </SessionProvider>,
  )
}

function StatusForm({ session }: { session: Session }) {
  const before = statusOf(session, session.state.user_id)
  const text = useSignal(before?.status_text ?? '')
  const emoji = useSignal(statusEmoji(before))
  const picking = useSignal(false)
  const { problem, run } = useDialogWork()
  const box = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    const input = box.current
    input?.focus()
    input?.setSelectionRange(input.value.length, input.value.length)
  }, [picking.value])
  const save = (status_text: string, chosen: Emoji | undefined) =>
    run(() => session.client.updateStatus({ status_text: status_text.trim(), emoji_name: '', ...chosen }))
  if (picking.value)
    return (
      <EmojiPicker session={session} onPick={(one) => (emoji.value = one)} onClose={() => (picking.value = false)} />
    )
  const name = emoji.value && emojiLabel(emoji.value)
  return (
    <form
      class="status-form"
      onSubmit={(event) => {
        event.preventDefault()
        void save(text.value, emoji.value)
      }}
    >
      <div class="status-line">
        <button
          type="button"
          class="icon-button"
          aria-label={name ? pageTexts.status.emojiNamed(name) : pageTexts.status.chooseEmoji}
          title={pageTexts.status.chooseEmoji}
          onClick={() => (picking.value = true)}
        >
          {emoji.value ? <EmojiPicture emoji={emoji.value} /> : <Icon name="smile" />}
        </button>
        <input
          ref={box}
          aria-label={pageTexts.status.label}
          placeholder={pageTexts.status.placeholder}
          maxLength={LONGEST}
          dir="auto"
          value={text.value}
          onInput={(event) => (text.value = event.currentTarget.value)}
        />
      </div>
      <ul aria-label={pageTexts.status.suggestions}>
        {usual.map(([one, words]) => (
          <li key={words}>
            <button type="button" class="row" onClick={() => void save(words, one)}>
              <EmojiPicture emoji={one} />
              <span class="name">{words}</span>
            </button>
          </li>
        ))}
      </ul>
      <Problem of={problem} />
      <footer>
        {before && (
          <button type="button" onClick={() => void save('', undefined)}>
            {pageTexts.status.clear}
          </button>
        )}
        <button type="submit" class="primary">
          {texts.common.save}
        </button>
      </footer>
    </form>
  )
}
