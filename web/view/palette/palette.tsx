import { useComputed, useSignal } from '@preact/signals'
import { useEffect, useId, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import '../../styles/palette.css'
import { recentOf } from '../../model/navigation/recent.ts'
import { messageSearch } from '../../model/palette/found-messages.ts'
import { marked, wordsOf } from '../../model/palette/match.ts'
import { later } from '../../model/state/later.ts'
import type { Session } from '../../model/state/session.ts'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { Choice } from '../parts/choice-list.tsx'
import { chooseByKey } from '../parts/choose-by-key.ts'
import { fieldAttributes } from '../parts/combobox.ts'
import { Count } from '../parts/count.tsx'
import { closeDialog } from '../parts/dialog.tsx'
import { isComposed } from '../parts/key-name.ts'
import { attempt } from '../parts/notices.tsx'
import { rich } from '../parts/rich.tsx'
import { SessionProvider } from '../session-context.ts'
import { type PaletteItem, paletteGroups } from './palette-items.tsx'

const settings = later(async () => (await import('../settings/loaded-pages.ts')).settingPlaces)

/**
 * Finds everything by parts of names, and messages by their words.
 *
 * @param begun - Returns what was typed before this was loaded.
 */
export function Palette({ session, begun }: { session: Session; begun(): string }) {
  const query = useSignal('')
  /** The key of the chosen row; empty for the first one. */
  const chosen = useSignal('')
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const messages = useMemo(() => messageSearch(session), [session])
  useLayoutEffect(() => {
    input.current!.focus()
    write(begun())
  }, [])
  useEffect(() => messages.stop, [messages])
  const groups = useComputed(() =>
    paletteGroups(session, query.value, messages.found.value, settings.part.value?.(session)),
  ).value
  const items = groups.flatMap((group) => group.items)
  // By its key, as results that come later move it.
  const active = {
    get value() {
      return Math.max(
        0,
        items.findIndex(({ key }) => key === chosen.value),
      )
    },
    set value(at) {
      chosen.value = items[at]?.key ?? ''
    },
  }
  function write(text: string): void {
    query.value = text
    chosen.value = ''
    messages.search(text)
    if (text === '') return
    settings.load()
    void recentOf(session).load()
  }
  const run = (item: PaletteItem) => {
    closeDialog()
    attempt(async () => void (await item.run()))
  }
  const words = wordsOf(query.value)
  const choices = { id, items, active, choose: run }
  return (
    <SessionProvider value={session}>
      <div class="palette">
        <input
          ref={input}
          type="text"
          role="combobox"
          aria-expanded={choices.items.length > 0}
          {...fieldAttributes(choices)}
          aria-label={pieceTexts.palette.label}
          enterkeyhint="go"
          placeholder={pieceTexts.palette.placeholder}
          value={query.value}
          onInput={(event) => write(event.currentTarget.value)}
          onKeyDown={(event) => void (isComposed(event) || chooseByKey(choices, event))}
        />
        <div id={id} class="palette-list" role="listbox" aria-label={pieceTexts.palette.results}>
          {groups.map(({ name, items: own }) => (
            // biome-ignore lint/a11y/useSemanticElements: a fieldset is no group of a listbox.
            <div key={name} role="group" aria-label={name}>
              <div class="palette-head" aria-hidden="true">
                {name}
              </div>
              {own.map((item) => (
                <Choice key={item.key} choices={choices} item={item} at={items.indexOf(item)}>
                  <Row item={item} words={words} />
                </Choice>
              ))}
            </div>
          ))}
        </div>
        <p class="palette-keys quiet small">{rich(pieceTexts.palette.keys, { kbd: (key) => <kbd>{key}</kbd> })}</p>
      </div>
    </SessionProvider>
  )
}

interface RowProps {
  item: PaletteItem
  words: readonly string[]
}

const Row = ({ item, words }: RowProps) => (
  <>
    {item.mark}
    <span class="name">
      {marked(item.label, words).map(({ text, isMatch }) => (isMatch ? <mark>{text}</mark> : text))}
    </span>
    {item.about && <span class="about quiet small">{item.about}</span>}
    <Count of={item.unread ?? 0} />
    {item.hint && <kbd>{item.hint}</kbd>}
  </>
)
