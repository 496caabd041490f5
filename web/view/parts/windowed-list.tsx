import { useSignal } from '@preact/signals'
import { type ComponentChildren, Fragment } from 'preact'
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { type RowPlaces, rowPlaces } from './row-places.ts'

interface WindowedListProps<T> {
  items: readonly T[]
  keyOf(item: T): string
  /** The estimated height of a row, in pixels at the default text size. */
  guess(item: T): number
  class?: string
  label?: string
  /** The class of a row. */
  rowClass?(item: T): string
  /** Whether arrow keys stop at a row. They focus its element with the class `walked`. */
  isWalked?(item: T): boolean
  onRowKey?(item: T, event: KeyboardEvent): void
  /** The content of a row. */
  children(item: T, index: number): ComponentChildren
}

/** Of most lists, in pixels. About a screenful is drawn before the scroll container is measured. */
const USUAL_ROW_PX = 45
/** Rows closer to the visible area than this are always drawn. */
const NEAR_PX = 100
const USUAL_TEXT_PX = 16

/**
 * A list of any length. Only rows near the visible area are in the document, with spacers for the others. Visible rows stay
 * in place when rows above them are added, removed or measured. Arrow keys, j, k, Home and End move the focus between rows.
 * The focused row stays in the document wherever the list is scrolled.
 */
export function WindowedList<T>(props: WindowedListProps<T>) {
  const { items, keyOf, label, rowClass, isWalked = () => true, onRowKey, children } = props
  const list = useRef<HTMLUListElement>(null)
  const drawn = useSignal({ from: 0, to: Math.ceil(innerHeight / USUAL_ROW_PX) })
  const focused = useSignal<string | undefined>(undefined)
  const wanted = useRef<string | undefined>(undefined)
  const guess = useRef(props.guess)
  guess.current = props.guess
  const places = useMemo(() => {
    const scale = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / USUAL_TEXT_PX
    return rowPlaces<T>(keyOf, (item) => guess.current(item) * scale)
  }, [])
  const seen = useRef<readonly SeenRow[]>([])
  const lookAgain = useRef(() => {})
  const focusedAt = useRef(0)
  useMemo(() => places.setItems(items), [places, items])

  const at = focused.value === undefined ? undefined : places.indexOf(focused.value)
  const from = Math.min(drawn.value.from, Math.max(0, items.length - 1))
  const to = Math.min(drawn.value.to, items.length)
  const indexes = Array.from({ length: to - from }, (_, i) => from + i)
  if (at !== undefined && at < from) indexes.unshift(at)
  if (at !== undefined && at >= to) indexes.push(at)

  useLayoutEffect(() => {
    const element = list.current!
    const scroller = scrollerOf(element)
    const look = () => {
      const room = element.firstElementChild!.getBoundingClientRect()
      const top = scroller.getBoundingClientRect().top - room.top
      const bottom = top + scroller.clientHeight
      seen.current = rowsBetween(places, top, bottom)
      const { from, to } = drawn.peek()
      if (from <= places.indexAt(top - NEAR_PX) && places.indexAt(bottom + NEAR_PX) < to) return
      const ahead = Math.max(NEAR_PX, scroller.clientHeight / 2)
      drawn.value = { from: places.indexAt(top - ahead), to: places.indexAt(bottom + ahead) + 1 }
    }
    lookAgain.current = look
    const sizes = new ResizeObserver(() => {
      seen.current = settle(element, scroller, places, seen.current)
      look()
    })
    sizes.observe(scroller)
    sizes.observe(element)
    scroller.addEventListener('scroll', look, { passive: true })
    return () => {
      sizes.disconnect()
      scroller.removeEventListener('scroll', look)
    }
  }, [places, drawn])
  useLayoutEffect(() => {
    const element = list.current!
    seen.current = settle(element, scrollerOf(element), places, seen.current)
    // New rows change no size where the list itself scrolls.
    lookAgain.current()
    if (wanted.current !== undefined) rowElement(element, places.indexOf(wanted.current))?.focus()
    wanted.current = undefined
    // The focused row was removed, for example because it was marked as read. The row in its place gets the focus.
    if (focused.peek() === undefined) return
    const now = places.indexOf(focused.peek()!)
    if (now !== undefined) focusedAt.current = now
    else if (document.activeElement === document.body)
      focusFrom(focusedAt.current, items.length > focusedAt.current ? 1 : -1)
  })

  /** Focuses the first row from an index on that the keys stop at. */
  function focusFrom(start: number, step: 1 | -1): void {
    let index = start
    while (index >= 0 && index < items.length && !isWalked(items[index]!)) index += step
    const key = places.keyAt(index)
    if (key === undefined) return
    wanted.current = key
    if (focused.peek() === key) rowElement(list.current!, index)?.focus()
    focused.value = key
  }
  function onKeyDown(event: KeyboardEvent): void {
    const row = rowOf(event.target)
    const index = row === undefined ? -1 : row
    if (index >= 0) onRowKey?.(items[index]!, event)
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'ArrowDown' || event.key === 'j') focusFrom(index + 1, 1)
    else if (event.key === 'ArrowUp' || event.key === 'k') focusFrom(Math.max(0, index - 1), index > 0 ? -1 : 1)
    else if (event.key === 'Home') focusFrom(0, 1)
    else if (event.key === 'End') focusFrom(items.length - 1, -1)
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  let last = 0
  return (
    <ul
      ref={list}
      class={`windowed ${props.class ?? ''}`}
      aria-label={label}
      onKeyDown={onKeyDown}
      onFocusIn={({ target }) => {
        const index = rowOf(target)
        focused.value = index === undefined ? undefined : places.keyAt(index)
      }}
      onFocusOut={({ target }) =>
        // A removed row hasn't lost the focus to anything else.
        queueMicrotask(() => {
          const isLeft = (target as HTMLElement).isConnected && !list.current?.contains(document.activeElement)
          if (isLeft) focused.value = undefined
        })
      }
    >
      {indexes.map((index) => {
        const before = last
        last = index + 1
        const item = items[index]!
        return (
          <Fragment key={keyOf(item)}>
            {(index !== before || index === indexes[0]) && <Room from={before} to={index} />}
            <li class={rowClass?.(item)} data-row={index} aria-setsize={items.length} aria-posinset={index + 1}>
              {children(item, index)}
            </li>
          </Fragment>
        )
      })}
      <Room from={last} to={items.length} />
    </ul>
  )
}

/** Replaces rows that are not drawn. Its height is set when the heights of the rows are known. */
const Room = ({ from, to }: { from: number; to: number }) => (
  <li class="room" data-from={from} data-to={to} aria-hidden="true" />
)

interface SeenRow {
  key: string
  top: number
}

function rowsBetween<T>(places: RowPlaces<T>, top: number, bottom: number): SeenRow[] {
  const rows: SeenRow[] = []
  // At its very start, a list shows new rows at the top.
  if (top <= 0) return rows
  for (let i = places.indexAt(top); i <= places.indexAt(bottom); i++) {
    const key = places.keyAt(i)
    if (key !== undefined) rows.push({ key, top: places.topOf(i) })
  }
  return rows
}

/** Measures the drawn rows, sizes the spacers, and keeps the visible rows in place. Returns their new positions. */
function settle<T>(
  list: HTMLElement,
  scroller: HTMLElement,
  places: RowPlaces<T>,
  seen: readonly SeenRow[],
): readonly SeenRow[] {
  const heights = [...list.children].map((row) => row.getBoundingClientRect().height)
  for (const [i, row] of [...list.children].entries()) {
    const index = (row as HTMLElement).dataset.row
    // A hidden list has no heights.
    if (index !== undefined && heights[i]! > 0) places.setHeight(Number(index), heights[i]!)
  }
  for (const room of list.querySelectorAll<HTMLElement>(':scope > .room')) {
    const height = `${places.topOf(Number(room.dataset.to)) - places.topOf(Number(room.dataset.from))}px`
    if (room.style.height !== height) room.style.height = height
  }
  const left = seen.flatMap(({ key, top }) => {
    const index = places.indexOf(key)
    return index === undefined ? [] : [{ key, top: places.topOf(index), moved: places.topOf(index) - top }]
  })
  const moved = left[0]?.moved ?? 0
  if (Math.abs(moved) >= 1) scroller.scrollTop += moved
  return left
}

function scrollerOf(list: HTMLElement): HTMLElement {
  let element: HTMLElement | null = list
  while (element && !/auto|scroll/.test(getComputedStyle(element).overflowY)) element = element.parentElement
  return element ?? document.documentElement
}

const rowOf = (target: EventTarget | null): number | undefined => {
  const row = (target as HTMLElement).closest<HTMLElement>('li[data-row]')?.dataset.row
  return row === undefined ? undefined : Number(row)
}

const rowElement = (list: HTMLElement, index: number | undefined): HTMLElement | null =>
  list.querySelector(`:scope > [data-row="${index}"] .walked`)
