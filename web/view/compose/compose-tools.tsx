import { useSignal, useSignalEffect } from '@preact/signals'
import type { RefObject } from 'preact'
import { useRef } from 'preact/hooks'
import { loadPart } from '../../model/state/load-part.ts'
import { hasCalls, newCall } from '../../model/writing/call.ts'
import { canRecord } from '../../model/writing/can-record.ts'
import { composerOf } from '../../model/writing/compose.ts'
import { type GifProvider, gifProvider } from '../../model/writing/gif-provider.ts'
import { emojiText } from '../../model/writing/skin-tone.ts'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { texts } from '../../texts/texts.ts'
import { Content } from '../content/content.tsx'
import { EmojiPicker } from '../emoji/emoji-picker.tsx'
import { openPopover } from '../parts/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { Menu } from '../parts/menu.tsx'
import { attempt } from '../parts/notices.tsx'
import { useSession } from '../session-context.ts'
import { insertText, surround } from './insert-text.ts'
import { openListForm } from './list-form.tsx'

interface ToolsProps {
  box: RefObject<HTMLTextAreaElement | null>
  onFiles(files: Iterable<File>): void
}

/** The preview is made again after this long without a keystroke. */
const QUIET_MS = 300

const marks = [
  ['bold', texts.compose.bold, '**', '**', pieceTexts.insert.keyHint('B')],
  ['italic', texts.compose.italic, '*', '*', pieceTexts.insert.keyHint('I')],
  ['code', texts.compose.code, '`', '`', ''],
  ['quote', texts.compose.quote, '```quote\n', '\n```', ''],
  ['link', texts.compose.link, '[', '](https://)', pieceTexts.insert.linkHint],
] as const

/** Buttons for the message's content, and for sending it. */
export function ComposeTools({ box, onFiles }: ToolsProps) {
  const session = useSession()
  const { content, obstacle, target } = composerOf(session)
  const chooser = useRef<HTMLInputElement>(null)
  const camera = useRef<HTMLInputElement>(null)
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
      const { openSendLater } = await loadPart(() => import('./schedule-form.tsx'))
      openSendLater(session)
    })
  const pickEmoji = () =>
    openPopover(
      texts.compose.emoji,
      <EmojiPicker session={session} withTones onPick={(emoji) => insertText(box.current, `${emojiText(emoji)} `)} />,
    )
  const addCall = () =>
    attempt(async () => {
      insertText(box.current, pieceTexts.insert.joinCall(await newCall(session)))
    })
  const recordVoice = () =>
    attempt(async () => {
      const { openVoiceForm } = await loadPart(() => import('./voice-form.tsx'))
      openVoiceForm(onFiles)
    })
  const insertSnippet = () =>
    attempt(async () => {
      const { openSnippets } = await loadPart(() => import('./snippets.tsx'))
      openSnippets(session, (text) => insertText(box.current, text))
    })
  const gifs = gifProvider(session.read('organization'))
  const pickGif = (provider: GifProvider) =>
    attempt(async () => {
      const { openGifPicker } = await loadPart(() => import('./gif-picker.tsx'))
      openGifPicker({ session, provider, add: onFiles })
    })
  // Browsers of other devices open no camera.
  const hasCamera = matchMedia('(pointer: coarse)').matches
  const insertions = [
    { label: pieceTexts.insert.poll, run: () => openListForm(session, 'poll') },
    { label: pieceTexts.insert.todo, run: () => openListForm(session, 'todo') },
    { label: pieceTexts.insert.spoiler, run: () => surround(box.current, '```spoiler \n', '\n```') },
    { label: pieceTexts.snippets.menu, run: insertSnippet },
    ...(gifs ? [{ label: pieceTexts.gifs.menu, run: () => pickGif(gifs) }] : []),
    ...(canRecord() ? [{ label: pieceTexts.voice.menu, run: recordVoice }] : []),
    ...(hasCamera ? [{ label: pieceTexts.insert.photo, run: () => camera.current?.click() }] : []),
  ]
  if (!target.value) return null
  return (
    <>
      {previewed.value && preview.value !== undefined && (
        <section class="preview" aria-label={texts.compose.preview}>
          <Content html={preview.value} />
        </section>
      )}
      <div class="tools" role="toolbar" aria-label={texts.compose.formatting}>
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
        {hasCamera && (
          <input
            ref={camera}
            type="file"
            accept="image/*"
            capture="environment"
            hidden
            onChange={(event) => {
              onFiles([...(event.currentTarget.files ?? [])])
              event.currentTarget.value = ''
            }}
          />
        )}
        <Menu label={pieceTexts.insert.menu} items={() => insertions}>
          <Icon name="plus" />
        </Menu>
        <button
          type="button"
          class="icon-button"
          aria-label={texts.compose.attach}
          title={texts.compose.attach}
          onClick={() => chooser.current?.click()}
        >
          <Icon name="attach" />
        </button>
        <button
          type="button"
          class="icon-button"
          aria-label={texts.compose.emoji}
          title={texts.compose.emoji}
          onClick={pickEmoji}
        >
          <Icon name="smile" />
        </button>
        {hasCalls(session.read('organization')) && (
          <button
            type="button"
            class="icon-button"
            aria-label={texts.compose.call}
            title={pieceTexts.insert.callTitle}
            onClick={addCall}
          >
            <Icon name="video" />
          </button>
        )}
        {marks.map(([icon, label, before, after, key]) => (
          <button
            key={label}
            type="button"
            class="icon-button format"
            aria-label={label}
            title={label + key}
            onClick={() => surround(box.current, before, after)}
          >
            <Icon name={icon} />
          </button>
        ))}
        <button
          type="button"
          class="icon-button"
          aria-label={texts.compose.preview}
          aria-pressed={previewed.value}
          title={texts.compose.preview}
          onClick={togglePreview}
        >
          <Icon name="eye" />
        </button>
        <button
          type="button"
          class="icon-button"
          aria-label={pieceTexts.schedule.sendLater}
          title={pieceTexts.schedule.sendLater}
          onClick={sendLater}
        >
          <Icon name="clock" />
        </button>
        <span class="space" />
        <label class="quiet small enter-sends">
          <input
            type="checkbox"
            checked={enterSends}
            onChange={({ currentTarget: tick }) => {
              const enter_sends = tick.checked
              attempt(async () => {
                try {
                  await session.client.updateSettings({ enter_sends })
                } catch (error) {
                  tick.checked = !enter_sends
                  throw error
                }
              })
            }}
          />
          {texts.compose.enterSends}
        </label>
      </div>
    </>
  )
}
