import { computed, type ReadonlySignal, signal } from '@preact/signals'
import type { Narrow } from '../../../src/client/index.ts'
import { narrowAddress, type Place, parseAddress } from './address.ts'

const hash = signal(location.hash)
addEventListener('hashchange', () => {
  hash.value = location.hash
})

/** The address of the first view: the inbox, unless the account has another. */
export const home = signal('#inbox')

/** The view that the address bar names; the first one where it names none. */
export const place: ReadonlySignal<Place> = computed(() => parseAddress(hash.value) ?? parseAddress(home.value)!)

/** The address itself, to tell one visit from the next. */
export const address: ReadonlySignal<string> = hash

export function go(to: string): void {
  if (location.hash !== to) location.hash = to
}

export const goToNarrow = (narrow: Narrow, near?: number): void => go(narrowAddress(narrow, near))
