import { useComputed, useSignal } from '@preact/signals'
import { useEffect, useId, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import '../../styles/palette.css'
import { recentOf } from '../../model/navigation/recent.ts'
import { messageSearch } from '../../model/palette/found-messages.ts'
import { marked, wordsOf } from '../../model/palette/match.ts'
import { current } from '../../model/state/account.ts'
import { later } from '../../model/state/later.ts'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { isComposed } from '../keys/key-name.ts'
import { Count } from '../parts/count.tsx'
import { closeDialog } from '../parts/dialog.tsx'
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
export function Palette({ begun }: { begun(): string }) {
  const session = current.value
  const query = useSignal('')
  /** The key of the chosen row; empty for the first one. */
  const chosen = useSignal('')
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
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
  const active = Math.max(
    0,
    items.findIndex(({ key }) => key === chosen.value),
  )
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
  useLayoutEffect(() => {
    list.current!.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [active, groups])
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposed(event)) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) chosen.value = items[(active + step + items.length) % items.length]?.key ?? ''
    else if (event.key === 'Enter' && items[active]) run(items[active])
    else return
    event.preventDefault()
  }
  const words = wordsOf(query.value)
  return (
    <SessionProvider value={session}>
      <div class="palette">
        <input
          ref={input}
          type="text"
          role="combobox"
          aria-autocomplete="list"
          aria-label={pieceTexts.palette.label}
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={`${id}-${active}`}
          autocomplete="off"
          enterkeyhint="go"
          placeholder={pieceTexts.palette.placeholder}
          value={query.value}
          onInput={(event) => write(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <div ref={list} id={id} class="palette-list" role="listbox" aria-label={pieceTexts.palette.results}>
          {groups.map(({ name, items: own }) => (
            // biome-ignore lint/a11y/useSemanticElements: a fieldset is no group of a listbox.
            <div key={name} role="group" aria-label={name}>
              <div class="palette-head" aria-hidden="true">
                {name}
              </div>
              {own.map((item) => (
                <Row
                  key={item.key}
                  id={`${id}-${items.indexOf(item)}`}
                  item={item}
                  words={words}
                  run={run}
                  isActive={items[active] === item}
                />
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
  id: string
  item: PaletteItem
  words: readonly string[]
  isActive: boolean
  run(item: PaletteItem): void
}

const Row = ({ id, item, words, isActive, run }: RowProps) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: the box handles the keys.
  <div id={id} role="option" tabIndex={-1} aria-selected={isActive} onClick={() => run(item)}>
    {item.mark}
    <span class="name">
      {marked(item.label, words).map(({ text, isMatch }) => (isMatch ? <mark>{text}</mark> : text))}
    </span>
    {item.about && <span class="about quiet small">{item.about}</span>}
    <Count of={item.unread ?? 0} />
    {item.hint && <kbd>{item.hint}</kbd>}
  </div>
)
