import { type ReadonlySignal, signal } from '@preact/signals'
import { inLanguage } from './language.ts'

interface Later<T> {
  /** The part, once it is loaded. */
  readonly part: ReadonlySignal<T | undefined>
  /** Loads it unless that is done or in progress. */
  load(): void
}

/** A part of the page that is loaded when it is first needed, to keep the first script small. */
export function later<T>(load: () => Promise<T>): Later<T> {
  const part = signal<T | undefined>(undefined)
  let isLoading = false
  return {
    part,
    load() {
      if (isLoading || part.peek() !== undefined) return
      isLoading = true
      inLanguage(load)
        .then(
          (loaded) => {
            part.value = loaded
          },
          () => {},
        )
        .finally(() => {
          isLoading = false
        })
    },
  }
}
