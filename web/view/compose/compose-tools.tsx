import { useSignal, useSignalEffect } from '@preact/signals'
import type { RefObject } from 'preact'
import { useRef } from 'preact/hooks'
import { content, obstacle, sendAt, target } from '../../model/writing/compose.ts'
import { Content } from '../content/content.tsx'
import { EmojiPicker } from '../emoji/emoji-picker.tsx'
import { openDialog } from '../parts/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { attempt } from '../parts/notices.tsx'
import { useSession } from '../session-context.ts'
import { insertText, surround } from './insert-text.ts'

interface ToolsProps {
  box: RefObject<HTMLTextAreaElement | null>
  onFiles(files: Iterable<File>): void
}

/** The preview is made again after this long without a keystroke. */
const QUIET_MS = 300

const marks = [
  ['B', 'Bold', '**', '**', ' (Ctrl+B)'],
  ['I', 'Italic', '*', '*', ' (Ctrl+I)'],
  ['</>', 'Code', '`', '`', ''],
  ['“', 'Quote', '```quote\n', '\n```', ''],
  ['⌁', 'Link', '[', '](https://)', ''],
] as const

/** What goes into a message besides typed text, and how it is sent. */
export function ComposeTools({ box, onFiles }: ToolsProps) {
  const session = useSession()
  const chooser = useRef<HTMLInputElement>(null)
  const preview = useSignal<string | undefined>(undefined)
  const enterSends = session.read('settings').user_settings.enter_sends
  const previewed = useSignal(false)
  // It follows what is typed, and ends with what is sent.
  useSignalEffect(() => {
    const text = content.value
    if (text === '') previewed.value = false
    if (!previewed.value) return
    const timer = setTimeout(
      () => attempt(async () => (preview.value = (await session.client.renderMessage({ content: text })).rendered)),
      preview.peek() === undefined ? 0 : QUIET_MS,
    )
    return () => clearTimeout(timer)
  })
  const togglePreview = () => {
    preview.value = undefined
    previewed.value = !previewed.value && content.value !== ''
  }
  const sendLater = () =>
    attempt(async () => {
      if (obstacle.value) throw new Error(obstacle.value)
      const { openSchedule } = await import('./schedule-form.tsx')
      const hours24 = session.read('settings').user_settings.twenty_four_hour_time
      openSchedule('Send later', { hours24, action: 'Send then', save: sendAt })
    })
  const pickEmoji = () =>
    openDialog('Emoji', <EmojiPicker onPick={({ emoji_name }) => insertText(box.current, `:${emoji_name}: `)} />)
  if (!target.value) return null
  return (
    <>
      {previewed.value && preview.value !== undefined && (
        <section class="preview" aria-label="Preview">
          <Content html={preview.value} />
        </section>
      )}
      <div class="tools" role="toolbar" aria-label="Format">
        <input
          ref={chooser}
          type="file"
          multiple
          hidden
          onChange={(event) => {
            onFiles([...(event.currentTarget.files ?? [])])
            event.currentTarget.value = ''
          }}
        />
        <button
          type="button"
          class="icon-button"
          aria-label="Attach files"
          title="Attach files"
          onClick={() => chooser.current?.click()}
        >
          <Icon name="attach" />
        </button>
        <button type="button" class="icon-button" aria-label="Emoji" title="Emoji" onClick={pickEmoji}>
          <Icon name="smile" />
        </button>
        {marks.map(([sign, label, before, after, key]) => (
          <button
            key={label}
            type="button"
            class="icon-button letter"
            aria-label={label}
            title={label + key}
            onClick={() => surround(box.current, before, after)}
          >
            {sign}
          </button>
        ))}
        <button
          type="button"
          class="icon-button"
          aria-label="Preview"
          aria-pressed={previewed.value}
          title="Preview"
          onClick={togglePreview}
        >
          <Icon name="eye" />
        </button>
        <button type="button" class="icon-button" aria-label="Send later" title="Send later" onClick={sendLater}>
          <Icon name="clock" />
        </button>
        <span class="space" />
        <label class="quiet small enter-sends">
          <input
            type="checkbox"
            checked={enterSends}
            onChange={(event) => {
              const enter_sends = event.currentTarget.checked
              attempt(() => session.client.updateSettings({ enter_sends }))
            }}
          />
          Enter sends
        </label>
      </div>
    </>
  )
}
