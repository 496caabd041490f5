import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { language } from '../../model/state/language.ts'
import type { Session } from '../../model/state/session.ts'
import { findEmoji, loadEmoji } from '../../model/writing/emoji.ts'
import { emojiLabel } from '../../model/writing/emoji-names.ts'
import {
  aliasesOf,
  type EmojiSection,
  emojiSections,
  noteUsed,
  type SectionName,
} from '../../model/writing/emoji-sections.ts'
import type { Emoji } from '../../model/writing/react.ts'
import { withSkinTone } from '../../model/writing/skin-tone.ts'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { texts } from '../../texts/texts.ts'
import { closeDialog } from '../parts/dialog.tsx'
import { SessionProvider } from '../session-context.ts'
import { EmojiPicture } from './emoji-picture.tsx'
import { SkinTones } from './skin-tones.tsx'

/** So many are drawn at first, and as many more whenever the end of them comes near. */
const STEP = 150
const MOST_FOUND = 120

/** The sign of each category in the bar. */
const signs: Readonly<Record<SectionName, string>> = {
  used: '🕘',
  custom: '⭐',
  smileys: '😀',
  people: '👋',
  nature: '🐻',
  food: '🍏',
  travel: '🚗',
  activities: '⚽',
  objects: '💡',
  symbols: '🔣',
  flags: '🏁',
}

const names: Readonly<Record<SectionName, string>> = {
  used: pieceTexts.emoji.used,
  custom: pieceTexts.emoji.custom,
  smileys: pieceTexts.emoji.smileys,
  people: pieceTexts.emoji.people,
  nature: pieceTexts.emoji.nature,
  food: pieceTexts.emoji.food,
  travel: pieceTexts.emoji.travel,
  activities: pieceTexts.emoji.activities,
  objects: pieceTexts.emoji.objects,
  symbols: pieceTexts.emoji.symbols,
  flags: pieceTexts.emoji.flags,
}

interface PickerProps {
  session: Session
  onPick(emoji: Emoji): void
  /** Whether emoji have a skin tone: in messages, but not in reactions and statuses. */
  withTones?: boolean
  /** Before the choice; a dialog of its own is closed. */
  onClose?: () => void
}

/** Emoji to choose from: by category, the ones used most first, or found by their names. */
export function EmojiPicker({ session, onPick, withTones = false, onClose = closeDialog }: PickerProps) {
  const query = useSignal('')
  const most = useSignal(STEP)
  const pointed = useSignal<Emoji | undefined>(undefined)
  const search = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  /** The category that gets to the top when it is drawn. */
  const wanted = useRef<SectionName | undefined>(undefined)
  useEffect(loadEmoji, [])
  // An open dialog doesn't focus it. Synchronously, because the next key press is for it.
  useLayoutEffect(() => search.current!.focus(), [])
  useLayoutEffect(() => {
    if (wanted.current) list.current!.querySelector(`[data-section=${wanted.current}]`)?.scrollIntoView()
    wanted.current = undefined
  })
  const isSearch = query.value.trim() !== ''
  const all = isSearch ? [] : emojiSections(session)
  const found = isSearch ? findEmoji(session, query.value, MOST_FOUND) : []
  const sections = isSearch ? [{ name: undefined, emoji: found }] : firstOf(all, most.value)
  const pick = (emoji: Emoji | undefined) => {
    if (!emoji) return
    noteUsed(session, emoji)
    onClose()
    onPick(emoji)
  }
  const goTo = (name: SectionName) => {
    wanted.current = name
    most.value = Number.POSITIVE_INFINITY
    // Where all are drawn already, nothing is drawn again.
    list.current!.querySelector(`[data-section=${name}]`)?.scrollIntoView()
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
      {!isSearch && (
        <div class="categories" role="toolbar" aria-label={pieceTexts.emoji.categories}>
          {all.map(({ name }) => (
            <button key={name} type="button" title={names[name]} aria-label={names[name]} onClick={() => goTo(name)}>
              {signs[name]}
            </button>
          ))}
        </div>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move between the buttons inside. */}
      <div
        ref={list}
        class="emoji-list"
        onKeyDown={(event) => walk(event, list.current!)}
        onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
          if (scrollHeight - scrollTop < 2 * clientHeight) most.value += STEP
        }}
      >
        {sections.map(({ name, emoji }) => (
          <section key={name} data-section={name}>
            {name && <h3>{names[name]}</h3>}
            <ul>
              {emoji.map((one) => (
                <li key={one.reaction_type + one.emoji_code}>
                  <button
                    type="button"
                    aria-label={emojiLabel(one)}
                    onClick={() => pick(one)}
                    onPointerEnter={() => (pointed.value = one)}
                    onFocus={() => (pointed.value = one)}
                  >
                    <SessionProvider value={session}>
                      <EmojiPicture emoji={one} characters={withTones ? withSkinTone(one) : undefined} />
                    </SessionProvider>
                  </button>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
      {isSearch && found.length === 0 && <p class="quiet">{texts.emoji.nothing}</p>}
      <Pointed session={session} emoji={pointed.value ?? found[0]} withTones={withTones} />
    </form>
  )
}

interface PointedProps {
  session: Session
  emoji: Emoji | undefined
  withTones: boolean
}

/** The name and the other names of the emoji below the pointer, and the skin tone. */
function Pointed({ session, emoji, withTones }: PointedProps) {
  return (
    <footer class="pointed">
      {emoji && (
        <>
          <SessionProvider value={session}>
            <EmojiPicture emoji={emoji} characters={withTones ? withSkinTone(emoji) : undefined} />
          </SessionProvider>
          {language !== 'en' && <span>{emojiLabel(emoji)}</span>}
          <span class={language === 'en' ? '' : 'quiet small'} lang="en">
            :{emoji.emoji_name}:
          </span>
          <span class="quiet small" lang="en">
            {aliasesOf(emoji).join(', ')}
          </span>
        </>
      )}
      {withTones && <SkinTones />}
    </footer>
  )
}

/** The beginning of all sections, with so many emoji. */
function firstOf(sections: readonly EmojiSection[], most: number): EmojiSection[] {
  let left = most
  return sections.flatMap(({ name, emoji }) => {
    const shown = emoji.slice(0, Math.max(0, left))
    left -= emoji.length
    return shown.length > 0 ? [{ name, emoji: shown }] : []
  })
}

/** Arrow keys move between emoji: to the neighbors, and to the nearest one above or below. */
function walk(event: KeyboardEvent, list: HTMLElement): void {
  const buttons = [...list.querySelectorAll<HTMLElement>('li button')]
  const at = buttons.indexOf(document.activeElement as HTMLElement)
  if (at === -1 || !event.key.startsWith('Arrow')) return
  event.preventDefault()
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
  if (step !== undefined) {
    buttons[at + step * (document.dir === 'rtl' ? -1 : 1)]?.focus()
    return
  }
  const own = buttons[at]!.getBoundingClientRect()
  const isDown = event.key === 'ArrowDown'
  const others = isDown ? buttons.slice(at + 1) : buttons.slice(0, at).reverse()
  const next = others.find((one) => {
    const { left, right, top } = one.getBoundingClientRect()
    return (isDown ? top > own.top : top < own.top) && left <= own.left + 1 && right > own.left
  })
  next?.focus()
}
