import { computed, type ReadonlySignal, signal } from '@preact/signals'
import { type Narrow, newId } from '../../../src/client/index.ts'
import { narrowAddress, type Place, parseAddress } from './address.ts'

// The model is read outside of browsers, too: by its tests.
const hash = signal(globalThis.location?.hash ?? '')
globalThis.addEventListener?.('hashchange', () => {
  hash.value = location.hash
})

/** Where a feed is read: the first message in sight, and how far below the top it begins. */
export interface ReadPlace {
  id: number
  top: number
}

/** The data of one entry in the browser's history. */
interface Entry {
  id?: string
  place?: ReadPlace | undefined
}

const entry = (): Entry => (history.state as Entry | null) ?? {}

/**
 * Reading places of history entries that were followed by another before they were stored. Browsers allow changing
 * only the current one.
 */
const placesLeft = new Map<string, ReadPlace | undefined>()

/** Returns the reading place at which this history entry was left. */
export function keptPlace(): ReadPlace | undefined {
  const { id, place } = entry()
  return id !== undefined && placesLeft.has(id) ? placesLeft.get(id) : place
}

/** Returns a function that stores places in this history entry, even when another is already current. */
export function placeKeeper(): (place: ReadPlace | undefined) => void {
  // The address has changed, but the displayed view has not.
  if (location.hash !== hash.peek()) return () => {}
  const { id = newId(), place: before } = entry()
  history.replaceState({ id, place: before }, '')
  return (place) => {
    if (entry().id !== id) placesLeft.set(id, place)
    else {
      history.replaceState({ id, place }, '')
      placesLeft.delete(id)
    }
  }
}

/** The address of the first view: the inbox, unless the account has another. */
export const home = signal('#inbox')

/** The view that the address bar names; the first one where it names none. */
export const place: ReadonlySignal<Place> = computed(() => parseAddress(hash.value) ?? parseAddress(home.value)!)

/** The address itself, to tell one visit from the next. */
export const address: ReadonlySignal<string> = hash

export function go(to: string): void {
  if (location.hash !== to) location.hash = to
}

/** Another address for the same visit: back does not lead to the one before. */
export const goInstead = (to: string): void => location.replace(to)
export const goToNarrow = (narrow: Narrow, near?: number): void => go(narrowAddress(narrow, near))
