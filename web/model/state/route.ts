import { computed, type ReadonlySignal, signal } from '@preact/signals'
import type { Narrow } from '../../../src/client/index.ts'
import { narrowAddress, type Place, parseAddress } from './address.ts'

const hash = signal(location.hash)
addEventListener('hashchange', () => {
  hash.value = location.hash
})

/** The view that the address bar names; the inbox where it names none. */
export const place: ReadonlySignal<Place> = computed(() => parseAddress(hash.value) ?? { view: 'inbox' })

/** The address itself, to tell one visit from the next. */
export const address: ReadonlySignal<string> = hash

export function go(to: string): void {
  if (location.hash !== to) location.hash = to
}

export const goToNarrow = (narrow: Narrow, near?: number): void => go(narrowAddress(narrow, near))
